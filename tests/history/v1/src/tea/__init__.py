from tea.kettle import GlassKettle
from tea.cups import pour
