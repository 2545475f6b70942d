//! Values for variables: files, environment, command line; where each came from, which wins.
