items = {
  one   = {}
  three = { name = "four", size = 4 }
}
