teams = {
  a = { x = { size = 3 }, y = { size = 1, tags = [] } }
  b = { z = { size = 5, tags = [] } }
}
