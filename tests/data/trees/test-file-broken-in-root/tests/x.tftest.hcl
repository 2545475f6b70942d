run "a" {
  nope = 1
}
