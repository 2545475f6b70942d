//! Lets a system pass methods on to the system behind it.

/// Methods of [`System`](crate::System) that call the system in a field: `forward!(inner: list, kind)`.
#[macro_export]
macro_rules! forward {
    ($inner:ident: $($method:ident),+ $(,)?) => {
        $($crate::forward_one!($inner $method);)+
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! forward_one {
    ($inner:ident read) => {
        fn read(&self, path: &std::path::Path) -> std::io::Result<Vec<u8>> {
            self.$inner.read(path)
        }
    };
    ($inner:ident list) => {
        fn list(&self, dir: &std::path::Path) -> std::io::Result<Vec<$crate::DirEntry>> {
            self.$inner.list(dir)
        }
    };
    ($inner:ident walk) => {
        fn walk(
            &self,
            root: &std::path::Path,
            enters: $crate::Enters<'_>,
        ) -> std::io::Result<Vec<std::path::PathBuf>> {
            self.$inner.walk(root, enters)
        }
    };
    ($inner:ident walk_all) => {
        fn walk_all(&self, root: &std::path::Path) -> std::io::Result<Vec<std::path::PathBuf>> {
            self.$inner.walk_all(root)
        }
    };
    ($inner:ident is_ignored) => {
        fn is_ignored(&self, path: &std::path::Path) -> bool {
            self.$inner.is_ignored(path)
        }
    };
    ($inner:ident holds_tracked) => {
        fn holds_tracked(&self, dir: &std::path::Path) -> bool {
            self.$inner.holds_tracked(dir)
        }
    };
    ($inner:ident unread_ignores) => {
        fn unread_ignores(&self) -> Vec<(std::path::PathBuf, u32)> {
            self.$inner.unread_ignores()
        }
    };
    ($inner:ident state_of) => {
        fn state_of(
            &self,
            paths: &std::sync::Arc<std::collections::HashSet<std::path::PathBuf>>,
        ) -> Option<u64> {
            self.$inner.state_of(paths)
        }
    };
    ($inner:ident kind) => {
        fn kind(&self, path: &std::path::Path) -> std::io::Result<$crate::EntryKind> {
            self.$inner.kind(path)
        }
    };
    ($inner:ident canonicalize) => {
        fn canonicalize(&self, path: &std::path::Path) -> std::io::Result<std::path::PathBuf> {
            self.$inner.canonicalize(path)
        }
    };
    ($inner:ident replace) => {
        fn replace(
            &self,
            path: &std::path::Path,
            expected: $crate::ExpectedContent<'_>,
            bytes: &[u8],
        ) -> std::io::Result<()> {
            self.$inner.replace(path, expected, bytes)
        }
    };
    ($inner:ident create_dir_all) => {
        fn create_dir_all(&self, dir: &std::path::Path) -> std::io::Result<()> {
            self.$inner.create_dir_all(dir)
        }
    };
    ($inner:ident env) => {
        fn env(&self, name: &str) -> Option<String> {
            self.$inner.env(name)
        }
    };
    ($inner:ident env_with_prefix) => {
        fn env_with_prefix(&self, prefix: &str) -> Vec<(String, String)> {
            self.$inner.env_with_prefix(prefix)
        }
    };
    ($inner:ident home_dir) => {
        fn home_dir(&self) -> std::io::Result<Option<String>> {
            self.$inner.home_dir()
        }
    };
    ($inner:ident current_dir) => {
        fn current_dir(&self) -> std::io::Result<std::path::PathBuf> {
            self.$inner.current_dir()
        }
    };
    ($inner:ident now) => {
        fn now(&self) -> std::time::SystemTime {
            self.$inner.now()
        }
    };
}
