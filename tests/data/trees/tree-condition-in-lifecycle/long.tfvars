settings = { name = "longer", count = 2 }
