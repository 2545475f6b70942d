module "m" {
 source = "./m"
 count = 1
}
output "o" { value = module.m[0].é }
