settings = { name = "longer", count = 0 }
