zz = 1
a = "x"
