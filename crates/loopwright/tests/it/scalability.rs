//! What limits programs: their dataflow or their tiling.
use loopwright::transform::scalability::growth::Scaling;
use loopwright::{CompileOptions, RegionScalability, ScalabilityOptions, scalability_of_file};

fn looked_at(name: &str, region: &str) -> RegionScalability {
    let folder = std::env::temp_dir();
    let path = folder.join(format!("loopwright-scalability-{name}-{}.c", std::process::id()));
    let text = format!(
        "void f(int T, int n, int m, double A[2][n], double B[n][m], double C[n][m]) {{\n#pragma scop\n{region}\n\
         #pragma endscop\n}}\n"
    );
    std::fs::write(&path, text).unwrap();
    let wanted = ScalabilityOptions::default();
    let regions = scalability_of_file(&path, &CompileOptions::new(), &wanted).unwrap();
    std::fs::remove_file(path).unwrap();
    regions.into_iter().next().unwrap()
}

fn scaling(region: &RegionScalability, tiling: &str, parameter: &str) -> Option<Scaling> {
    let tiling = region.tilings.iter().find(|found| found.name == tiling)?;
    tiling.growth.iter().find(|growth| growth.parameter == parameter)?.scaling
}

#[test]
fn a_stencil_is_limited_by_rectangles_and_not_by_diamonds() {
    let stencil = "for (int t = 1; t < T; t++) for (int i = 1; i < n - 1; i++)\
        A[t % 2][i] = A[(t - 1) % 2][i - 1] + A[(t - 1) % 2][i] + A[(t - 1) % 2][i + 1];";
    let region = looked_at("stencil", stencil);
    assert_eq!(scaling(&region, "dataflow", "n"), Some(Scaling::Scales));
    assert_eq!(scaling(&region, "rectangles", "n"), Some(Scaling::TilingLimited), "{region}");
    assert_eq!(scaling(&region, "diamonds, one side", "n"), Some(Scaling::Scales), "{region}");
    assert_eq!(scaling(&region, "dataflow", "T"), Some(Scaling::DataflowLimited));
    let is_data = |name: &str| region.parameters.iter().any(|(p, is_data)| p == name && *is_data);
    assert!(is_data("n") && !is_data("T"));
    assert_eq!(region.vector_of("rectangles").as_deref(), Some("(0)"));
    assert_eq!(region.vector_of("diamonds, one side").as_deref(), Some("(1)"));
}

#[test]
fn an_update_in_place_is_limited_by_its_dataflow() {
    let seidel = "for (int t = 0; t < T; t++) for (int i = 1; i < n - 1; i++)\
        A[0][i] = A[0][i - 1] + A[0][i] + A[0][i + 1];";
    let region = looked_at("seidel", seidel);
    assert_eq!(scaling(&region, "rectangles", "n"), Some(Scaling::DataflowLimited), "{region}");
    assert_eq!(region.vector_of("diamonds, one side"), None, "there are none");
}

#[test]
fn loops_without_flow_scale_with_all_data() {
    let copy = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) B[i][j] = 2 * C[i][j];";
    let region = looked_at("copy", copy);
    assert_eq!(region.vector_of("rectangles").as_deref(), Some("(1, 1)"), "{region}");
    let json = region.to_json();
    assert_eq!(json["tilings"][0]["graph"]["instances"], 64);
    assert_eq!(json["tilings"][1]["graph"]["widths"][0], 4);
}
