use loopwright_presburger::*;
use loopwright_schedule::*;
use loopwright_scheduler::*;

fn show(node: &Node, depth: usize) {
    let pad = "  ".repeat(depth);
    match node {
        Node::Leaf => {}
        Node::Band(b, c) => {
            for (m, f) in b.schedule.members().iter().zip(&b.members) {
                let parts: Vec<String> = m.parts().iter().map(|p| format!("{}:{:?}", p.domain_space().output().unwrap().name().unwrap(), p.pieces()[0].1.row().as_i64s().unwrap())).collect();
                println!("{pad}member perm={} coin={} {}", b.permutable, f.coincident, parts.join("; "));
            }
            show(c, depth + 1);
        }
        Node::Filter(f, c) => { println!("{pad}filter {:?}", f.sets().iter().map(|s| s.space().output().unwrap().to_string()).collect::<Vec<_>>()); show(c, depth + 1) }
        Node::Sequence(cs) => { println!("{pad}sequence"); for c in cs { show(c, depth + 1) } }
        Node::Set(cs) => { println!("{pad}set"); for c in cs { show(c, depth + 1) } }
        _ => {}
    }
}

fn run(text: &str) {
    let sc = ScheduleConstraints::parse(text).unwrap();
    for options in [Options::tiling(), Options::outer_parallel()] {
        let t = std::time::Instant::now();
        let s = schedule(&sc, &options, &Budget::unlimited());
        println!("--- {:?} outer={}", t.elapsed(), options.outer_coincidence);
        match s {
            Ok(s) => { show(&s.tree.root, 0); println!("{:?}", s.notes) }
            Err(e) => println!("ERR {e}"),
        }
    }
}

#[test]
fn trmm() {
    run(r#"
domain: "[n, m] -> { A[i, j, k] : i >= 0 and 0 <= j < n and i < k < m; B[i, j] : 0 <= i < m and 0 <= j < n }"
validity: "[n,m] -> { A[i,j,k] -> A[i,j,k+1] : i >= 0 and 0 <= j < n and i < k < m-1; A[i,j,k] -> B[i,j] : 0<=i<k<m and 0<=j<n; A[i,j,k] -> B[k,j] : 0<=i<k<m and 0<=j<n }"
proximity: "[n,m] -> { A[i,j,k] -> A[i,j,k+1] : i >= 0 and 0 <= j < n and i < k < m-1; A[i,j,k] -> B[i,j] : 0<=i<k<m and 0<=j<n; A[i,j,k] -> B[k,j] : 0<=i<k<m and 0<=j<n }"
coincidence: "[n,m] -> { A[i,j,k] -> A[i,j,k+1] : i >= 0 and 0 <= j < n and i < k < m-1; A[i,j,k] -> B[i,j] : 0<=i<k<m and 0<=j<n; A[i,j,k] -> B[k,j] : 0<=i<k<m and 0<=j<n }"
"#);
}

#[test]
fn seidel() {
    let d = ["S[t,i,j+1]","S[t,i+1,j-1]","S[t,i+1,j]","S[t,i+1,j+1]","S[t+1,i-1,j-1]","S[t+1,i-1,j]","S[t+1,i-1,j+1]","S[t+1,i,j-1]","S[t+1,i,j]"];
    let r: Vec<String> = d.iter().map(|d| format!("S[t,i,j] -> {d} : 0<=t<T-1 and 2<=i<N-2 and 2<=j<N-2")).collect();
    let r = format!("[T,N] -> {{ {} }}", r.join("; "));
    run(&format!("domain: \"[T,N] -> {{ S[t,i,j] : 0<=t<T and 1<=i<N-1 and 1<=j<N-1 }}\"\nvalidity: \"{r}\"\nproximity: \"{r}\"\ncoincidence: \"{r}\"\n"));
}
