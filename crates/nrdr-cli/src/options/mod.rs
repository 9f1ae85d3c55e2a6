//! The options that several commands share.

pub(crate) mod aside;
pub(crate) mod declared;
pub(crate) mod generated;
pub(crate) mod impute;
pub(crate) mod method;
pub(crate) mod outputs;
pub(crate) mod reading;
pub(crate) mod run;
pub(crate) mod source;
pub(crate) mod standardize;
pub(crate) mod strategy;
