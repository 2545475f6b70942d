module "a" {
  source     = "./m"
  depends_on = [module.b, terraform_data.x, var.q, local.z, module.a.z, each.key, path.module, terraform.workspace, data.foo.x]
}
