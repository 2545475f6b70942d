module "m" {
  source = "./m"
}
import {
  to = module.m.terraform_data.a
  id = "x"
}
import {
  to = module.nope.terraform_data.a
  id = "x"
}
import {
  to = module.m.terraform_data.nope
  id = "x"
}
