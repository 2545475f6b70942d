variable "q" {
  default = "1"
}
module "m" {
  source = "./m"
  q      = var.q
}
check "c" {
  assert {
    condition     = module.m.o < 3
    error_message = "Got ${module.m.o}."
  }
}
