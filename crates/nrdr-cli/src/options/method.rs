//! The method and what belongs to it alone.

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, ValueEnum};
use nrdr::method::{self, Needs};
use nrdr::{
    DiffusionMaps, HessianLle, Isomap, Kernel, KernelPca, LaplacianEigenmaps, Lle, Ltsa, Method,
    Weights,
};

use crate::failure::Failure;

/// The heading of the options below.
pub(crate) const METHOD: &str = "Method";

/// The method and its own options.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = METHOD)]
pub(crate) struct MethodArgs {
    /// The spectral method; `nrdr methods` explains them
    #[arg(short, long, value_name = "NAME", default_value = "lem", value_parser = names())]
    pub(crate) method: String,

    /// lem: weights of the edges [default: binary]
    #[arg(long, value_enum)]
    weights: Option<WeightsName>,

    /// lem: width of heat weights [default: from the distances of neighbours]
    #[arg(long)]
    sigma: Option<f64>,

    /// dfm: squared width of the kernel [default: from the distances of neighbours]
    #[arg(long)]
    epsilon: Option<f64>,

    /// dfm: power of the density that is divided out [default: 1]
    #[arg(long)]
    density: Option<f64>,

    /// dfm: diffusion time, which sets the lengths of the coordinates [default: 1]
    #[arg(long)]
    time: Option<f64>,

    /// lle: regularisation of the weights [default: 0.001]
    #[arg(long)]
    reg: Option<f64>,

    /// hlle, ltsa: dimension of the tangent spaces [default: that of the neighbourhoods]
    #[arg(long, value_name = "D")]
    local_dim: Option<usize>,

    /// kpca: the kernel [default: rbf]
    #[arg(long, value_enum)]
    kernel: Option<KernelName>,

    /// kpca: scale of the rbf, polynomial and sigmoid kernels [default: 1 / total variance]
    #[arg(long)]
    gamma: Option<f64>,

    /// kpca: power of the polynomial kernel [default: 3]
    #[arg(long)]
    degree: Option<u32>,
}

/// Weights of the edges of Laplacian eigenmaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum WeightsName {
    /// 1 for each edge
    Binary,
    /// exp(-distance^2 / 2 sigma^2)
    Heat,
}

/// Kernels of kernel PCA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum KernelName {
    /// exp(-gamma |x - y|^2)
    Rbf,
    /// (gamma x.y + 1)^degree
    Polynomial,
    /// x.y / |x| |y|
    Cosine,
    /// tanh(gamma x.y + 1)
    Sigmoid,
    /// x.y
    Linear,
}

/// The methods that take points.
pub(crate) fn methods() -> impl Iterator<Item = Box<dyn Method>> {
    method::all().into_iter().filter(|method| method.needs() != Needs::Matrix)
}

/// Their names, for clap.
pub(crate) fn names() -> PossibleValuesParser {
    let value = |method: Box<dyn Method>| PossibleValue::new(method.name()).help(method.about());
    PossibleValuesParser::new(methods().map(value))
}

impl MethodArgs {
    /// The method with its parameters; an option of another method is refused.
    pub(crate) fn build(&self) -> Result<Box<dyn Method>, Failure> {
        let name = self.method.as_str();
        for (option, given, owners) in self.own() {
            if given && !owners.contains(&name) {
                let owners = owners.join(" and ");
                return Err(Failure::Usage(format!(
                    "--{option} belongs to {owners}, not to {name}: leave it out or choose --method"
                )));
            }
        }
        let local_dimension = self.local_dim;
        Ok(match name {
            "lem" => Box::new(LaplacianEigenmaps { weights: self.weights()? }),
            "dfm" => {
                let usual = DiffusionMaps::default();
                Box::new(DiffusionMaps {
                    epsilon: self.epsilon,
                    density: self.density.unwrap_or(usual.density),
                    time: self.time.unwrap_or(usual.time),
                })
            }
            "lle" => {
                let usual = Lle::default().regularization;
                Box::new(Lle { regularization: self.reg.unwrap_or(usual) })
            }
            "hlle" => Box::new(HessianLle { local_dimension }),
            "ltsa" => Box::new(Ltsa { local_dimension }),
            "isomap" => Box::new(Isomap::default()),
            _ => Box::new(KernelPca { kernel: self.kernel()?, gamma: self.gamma }),
        })
    }

    /// Options of single methods: whether they are given, and whose they are.
    fn own(&self) -> [(&'static str, bool, &'static [&'static str]); 10] {
        [
            ("weights", self.weights.is_some(), &["lem"]),
            ("sigma", self.sigma.is_some(), &["lem"]),
            ("epsilon", self.epsilon.is_some(), &["dfm"]),
            ("density", self.density.is_some(), &["dfm"]),
            ("time", self.time.is_some(), &["dfm"]),
            ("reg", self.reg.is_some(), &["lle"]),
            ("local-dim", self.local_dim.is_some(), &["hlle", "ltsa"]),
            ("kernel", self.kernel.is_some(), &["kpca"]),
            ("gamma", self.gamma.is_some(), &["kpca"]),
            ("degree", self.degree.is_some(), &["kpca"]),
        ]
    }

    fn weights(&self) -> Result<Weights, Failure> {
        match (self.weights, self.sigma) {
            (None | Some(WeightsName::Binary), None) => Ok(Weights::Binary),
            (Some(WeightsName::Heat) | None, sigma) => Ok(Weights::Heat { sigma }),
            (Some(WeightsName::Binary), Some(_)) => Err(Failure::Usage(
                "--sigma has no meaning for binary weights: add --weights heat".to_string(),
            )),
        }
    }

    fn kernel(&self) -> Result<Kernel, Failure> {
        let kernel = self.kernel.unwrap_or(KernelName::Rbf);
        if self.degree.is_some() && kernel != KernelName::Polynomial {
            return Err(Failure::Usage(
                "--degree belongs to the polynomial kernel: add --kernel polynomial".to_string(),
            ));
        }
        Ok(match kernel {
            KernelName::Rbf => Kernel::Rbf,
            KernelName::Polynomial => {
                Kernel::Polynomial { degree: self.degree.unwrap_or(3), constant: 1.0 }
            }
            KernelName::Cosine => Kernel::Cosine,
            KernelName::Sigmoid => Kernel::Sigmoid { constant: 1.0 },
            KernelName::Linear => Kernel::Linear,
        })
    }
}
