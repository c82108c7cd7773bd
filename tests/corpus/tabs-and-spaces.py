class C:
        def m(self):
	return 1
	def n(self):
	    return 2
x = 1
