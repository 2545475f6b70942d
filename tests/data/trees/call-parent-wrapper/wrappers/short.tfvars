items = {
  a   = {}
  b   = { name = "long" }
  c   = { name = "x" }
  one = {}
}
