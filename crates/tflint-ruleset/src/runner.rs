//! tflint's answers during a check.

use std::{collections::HashMap, path::PathBuf};

use tonic::Status;

use super::{
    rpc::Channel,
    wire::{
        Address, AttributeSchema, BodyContent, BodySchema, ConfigContent, EmitIssue, Empty, Files,
        GetRuleConfig, IssueApplied, Text, Texts,
    },
};

/// The connection back to tflint while one check runs.
pub(super) struct Runner(Channel);

impl Runner {
    pub async fn dial(address: &Address) -> Result<Runner, Status> {
        Channel::dial(address).await.map(Runner)
    }

    /// The names of the calls that lead to the module; empty for the root module.
    pub async fn module_path(&mut self) -> Result<Vec<String>, Status> {
        let path: Texts = self.0.call("/proto.Runner/GetModulePath", Empty {}).await?;
        Ok(path.values)
    }

    /// The directory in which tflint was started: names of files are relative to it.
    pub async fn original_dir(&mut self) -> Result<PathBuf, Status> {
        let dir: Text = self.0.call("/proto.Runner/GetOriginalwd", Empty {}).await?;
        Ok(PathBuf::from(dir.value))
    }

    /// The module's source files by their names.
    pub async fn files(&mut self) -> Result<HashMap<String, Vec<u8>>, Status> {
        let files: Files = self.0.call("/proto.Runner/GetFiles", Empty {}).await?;
        Ok(files.files)
    }

    /// The options of the `rule` block in addition to `enabled`; tflint refuses other names.
    pub async fn rule_config(
        &mut self,
        rule: &str,
        options: &[&str],
    ) -> Result<BodyContent, Status> {
        let request =
            GetRuleConfig { rule: rule.to_owned(), schema: Some(optional_attributes(options)) };
        let config: ConfigContent =
            self.0.call("/proto.Runner/GetRuleConfigContent", request).await?;
        Ok(config.content.unwrap_or_default())
    }

    /// Reports an issue.
    pub async fn emit(&mut self, issue: EmitIssue) -> Result<(), Status> {
        let _: IssueApplied = self.0.call("/proto.Runner/EmitIssue", issue).await?;
        Ok(())
    }
}

/// A schema of optional attributes.
pub(super) fn optional_attributes(names: &[&str]) -> BodySchema {
    let attribute = |it: &&str| AttributeSchema { name: (*it).to_owned(), required: false };
    BodySchema { attributes: names.iter().map(attribute).collect() }
}
