variable "x" {
  default = "x"
}
module "m" {
  source = "./m"
}
resource "terraform_data" "a" {
  lifecycle {
    precondition {
      condition     = module.m.id == var.x
      error_message = "Other id."
    }
  }
}
