//! Validation conditions as constraints: exact, necessary or untranslated.
