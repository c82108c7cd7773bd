from tea.cups import pour
from tea.kettle import GlassKettle
