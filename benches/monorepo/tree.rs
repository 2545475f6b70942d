//! The generated monorepo: modules of six variables each, with rules, resources and inputs.

use std::{fmt::Write as _, fs, io, path::Path};

/// Modules in one directory of the tree.
const IN_A_TEAM: usize = 100;
/// Calls in a module that makes any.
const CALLS: usize = 6;

/// Writes `count` modules below `root`, without their schemas.
pub fn write(root: &Path, count: usize) -> io::Result<()> {
    for number in 0..count {
        let dir = root.join(module_path(number));
        fs::create_dir_all(&dir)?;
        fs::write(dir.join("variables.tf"), variables(number))?;
        fs::write(dir.join("main.tf"), resources(number))?;
        fs::write(dir.join("outputs.tf"), outputs(number))?;
        fs::write(dir.join("versions.tf"), VERSIONS)?;
        fs::write(dir.join("README.md"), format!("# Service {number}\n"))?;
        fs::write(dir.join("terraform.tfvars"), values(number))?;
        fs::write(dir.join("prod.tfvars.json"), production(number))?;
    }
    Ok(())
}

/// Has every second module call six of the others, spread over the whole tree, with constants and with
/// variables of its own. Gives the number of calls.
pub fn write_calls(root: &Path, count: usize) -> io::Result<usize> {
    let called = count.div_ceil(2);
    for number in (1..count).step_by(2) {
        let places = (0..CALLS).map(|it| (number * 7 + it * called / CALLS) % called * 2);
        let text: String = places.enumerate().map(|(place, it)| call(place, it)).collect();
        fs::write(root.join(module_path(number)).join("calls.tf"), text)?;
    }
    Ok(count / 2 * CALLS)
}

/// Gives each module an example of a values file, and a README with a call of the module.
pub fn write_examples(root: &Path, count: usize) -> io::Result<()> {
    for number in 0..count {
        let dir = root.join(module_path(number));
        fs::write(dir.join("terraform.tfvars.example"), example(number))?;
        fs::write(dir.join("README.md"), readme(number))?;
    }
    Ok(())
}

/// Takes the values files away, as in a tree of modules that others call.
pub fn remove_values(root: &Path, count: usize) -> io::Result<()> {
    for number in 0..count {
        let dir = root.join(module_path(number));
        fs::remove_file(dir.join("terraform.tfvars"))?;
        fs::remove_file(dir.join("prod.tfvars.json"))?;
    }
    Ok(())
}

/// Where a module lies below the root, with forward slashes.
pub fn module_path(number: usize) -> String {
    format!("team-{:03}/service-{:03}", number / IN_A_TEAM, number % IN_A_TEAM)
}

const VERSIONS: &str = "terraform {
  required_version = \">= 1.9\"
  required_providers {
    aws = {
      source  = \"hashicorp/aws\"
      version = \"~> 5.0\"
    }
  }
}
";

fn variables(number: usize) -> String {
    let most = 3 + number % 17;
    format!(
        r#"variable "name" {{
  description = "The name of service {number}, also the prefix of all that belongs to it."
  type        = string

  validation {{
    condition     = can(regex("^s{number}-[a-z][a-z0-9-]{{2,20}}$", var.name))
    error_message = "The name starts with s{number}-, then lower-case letters, digits and dashes."
  }}
}}

variable "environment" {{
  description = "Where the service runs."
  type        = string
  default     = "dev"
  nullable    = false

  validation {{
    condition     = contains(["dev", "stage", "prod", "team{number}"], var.environment)
    error_message = "One of dev, stage, prod, team{number}."
  }}
}}

variable "replicas" {{
  description = "How many copies run."
  type        = number
  default     = 2

  validation {{
    condition     = var.replicas >= 1 && var.replicas <= {most}
    error_message = "Between 1 and {most} copies."
  }}
}}

variable "subnets" {{
  description = "The networks of the service."
  type        = list(string)
  default     = []

  validation {{
    condition     = alltrue([for it in var.subnets : can(cidrhost(it, 0))])
    error_message = "Each must be an address range."
  }}
}}

variable "tags" {{
  description = "Put on everything."
  type        = map(string)
  default     = {{}}
}}

variable "container" {{
  description = "What runs."
  type = object({{
    image   = string
    port    = optional(number, 8080)
    command = optional(list(string))
    limits  = optional(object({{ cpu = number, memory = string }}))
    health  = optional(object({{
      path     = optional(string, "/health")
      interval = optional(number, 30)
    }}), {{}})
  }})

  validation {{
    condition     = var.container.port > 1024 && var.container.port < 65536
    error_message = "The port must not be a privileged one."
  }}
}}
"#
    )
}

fn resources(number: usize) -> String {
    format!(
        r#"locals {{
  prefix = "${{var.name}}-${{var.environment}}"
  tags   = merge(var.tags, {{ service = var.name, number = "{number}" }})
}}

resource "aws_ecs_service" "this" {{
  name            = local.prefix
  cluster         = data.aws_ecs_cluster.this.arn
  task_definition = aws_ecs_task_definition.this.arn
  desired_count   = var.replicas

  network_configuration {{
    subnets          = var.subnets
    assign_public_ip = false
  }}

  tags = local.tags
}}

resource "aws_ecs_task_definition" "this" {{
  family = local.prefix
  container_definitions = jsonencode([{{
    name         = var.name
    image        = var.container.image
    command      = var.container.command
    portMappings = [{{ containerPort = var.container.port }}]
    cpu          = try(var.container.limits.cpu, null)
  }}])
}}

data "aws_ecs_cluster" "this" {{
  cluster_name = var.environment
}}
"#
    )
}

fn outputs(number: usize) -> String {
    format!(
        r#"output "service" {{
  description = "The service {number}."
  value       = aws_ecs_service.this.id
}}

output "tags" {{
  description = "What everything of it carries."
  value       = local.tags
}}
"#
    )
}

fn example(number: usize) -> String {
    format!(
        r#"# Copy to terraform.tfvars.
name        = "s{number}-api"
environment = "prod"
replicas    = 3
subnets     = ["10.0.0.0/24", "10.0.1.0/24"]
tags = {{
  team = "<YOUR TEAM>"
}}
container = {{
  image  = "registry.example.com/api:1.4.2"
  port   = 9090
  limits = {{ cpu = 0.5, memory = "512Mi" }}
}}
"#
    )
}

fn readme(number: usize) -> String {
    format!(
        r#"# Service {number}

```hcl
module "service" {{
  source = "./"

  name        = "s{number}-api"
  environment = "prod"
  replicas    = 3
  subnets     = ["10.0.0.0/24"]
  container = {{
    image = "registry.example.com/api:1.4.2"
    port  = 9090
  }}
}}
```
"#
    )
}

fn call(place: usize, number: usize) -> String {
    let (path, replicas, port) = (module_path(number), 1 + place % 3, 9000 + place);
    format!(
        r#"module "m{place}" {{
  source      = "../../{path}"
  name        = "s{number}-api"
  environment = var.environment
  tags        = var.tags
  replicas    = {replicas}
  container   = {{ image = "registry.example.com/api:1.4.2", port = {port} }}
}}

"#
    )
}

fn values(number: usize) -> String {
    let mut text = format!("name = \"s{number}-api\"\n\nsubnets = [\n");
    for net in 0..3 {
        _ = writeln!(text, "  \"10.{}.{net}.0/24\",", number % 256);
    }
    text + "]\n\ncontainer = {\n  image = \"registry.example.com/api:1.4.2\"\n}\n"
}

fn production(number: usize) -> String {
    format!(
        r#"{{
  "environment": "prod",
  "replicas": 3,
  "tags": {{ "team": "team-{}", "cost-center": "{number}" }},
  "container": {{
    "image": "registry.example.com/api:1.4.1",
    "port": 9090,
    "limits": {{ "cpu": 0.5, "memory": "512Mi" }}
  }}
}}
"#,
        number / IN_A_TEAM
    )
}
