//! Readers of systems of linear equations.
//!
//! Nothing of ours solves a general one. The dense solver that judges ours in the tests is judged
//! here in its turn.

use anyhow::{Result, ensure};
use nalgebra::{DMatrix, DVector};
use serde_json::{Value, json};
use vehicle_core::legacy::clutch;

use crate::support::values::{f32_of, f32s_of, list_of, number, numbers, single, usize_of};
use crate::support::vectors::Outcome;

/// Reads the rows of a square matrix, one after the other.
fn elements(input: &Value) -> Result<Vec<f32>> {
    let rows = list_of(input, "matrix_rows")?;
    let elements = rows.iter().filter_map(Value::as_array).flatten();
    let elements = elements.map(single).collect::<Result<Vec<_>>>()?;
    ensure!(elements.len() == rows.len() * rows.len(), "`matrix_rows`: not a square");
    Ok(elements)
}

/// Success, solution and determinant of the dense solver.
fn dense(input: &Value) -> Result<(bool, Vec<f64>, f64)> {
    let (elements, right) = (elements(input)?, f32s_of(input, "rhs")?);
    let count = right.len();
    let matrix = DMatrix::from_row_iterator(count, count, elements.into_iter().map(f64::from));
    let factors = matrix.full_piv_lu();
    let right = DVector::from_iterator(count, right.into_iter().map(f64::from));
    let solution = factors.solve(&right);
    let is_solved = solution.is_some();
    let solution =
        solution.map_or_else(|| vec![0.0; count], |solution| solution.as_slice().to_vec());
    Ok((is_solved, solution, factors.determinant()))
}

pub fn lu(input: &Value) -> Result<Outcome> {
    let (success, solution, determinant) = dense(input)?;
    Ok(json!({
        "success": success,
        "solution": numbers(&solution),
        "determinant": number(determinant),
    })
    .into())
}

pub fn three_by_three(input: &Value) -> Result<Outcome> {
    let (success, solution, _) = dense(input)?;
    Ok(if success {
        json!({"success": true, "solution": numbers(&solution)}).into()
    } else {
        json!({"success": false}).into()
    })
}

pub fn gauss_seidel(input: &Value) -> Result<Outcome> {
    let (elements, right) = (elements(input)?, f32s_of(input, "rhs")?);
    let mut solution = f32s_of(input, "initial_guess")?;
    let iterations = u32::try_from(usize_of(input, "max_iterations")?)?;
    let element = |row: usize, column: usize| elements[row * right.len() + column];
    let tolerance = f32_of(input, "tolerance")?;
    clutch::gauss_seidel(element, &right, &mut solution, iterations, tolerance);
    Ok(json!({"solution": numbers(&solution)}).into())
}
