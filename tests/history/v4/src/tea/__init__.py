from tea._cups.pour import pour
from tea._kettles.kettle import GLASSKettle
