//! Conditionals and operators.

use super::{Parser, TokenKind as T};
use crate::{BinaryOp, Expr, ExprKind, UnaryOp};

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Expr {
        match self.nested(Self::conditional) {
            Some(expr) => expr,
            None => self.invalid(self.peek()),
        }
    }

    fn conditional(&mut self) -> Expr {
        let condition = self.binary(0);
        if self.lost || !self.eat(T::Question) {
            return condition;
        }
        let then = self.expression();
        if self.lost {
            return Expr { kind: ExprKind::Invalid, span: condition.span.to(then.span) };
        }
        let colon = self.peek();
        if !self.eat(T::Colon) {
            self.error(
                colon,
                "Conditional without its second result",
                "The colon is missing: write CONDITION ? RESULT : RESULT.",
            );
            return Expr { kind: ExprKind::Invalid, span: condition.span.to(then.span) };
        }
        let otherwise = self.expression();
        let span = condition.span.to(otherwise.span);
        let kind = ExprKind::Conditional {
            condition: Box::new(condition),
            then: Box::new(then),
            otherwise: Box::new(otherwise),
        };
        Expr { kind, span }
    }

    /// Parses operators of at least this precedence, which all associate to the left.
    fn binary(&mut self, least: u8) -> Expr {
        let mut left = self.unary();
        while !self.lost {
            let token = self.peek();
            let Some((precedence, op)) = operator(token.kind) else { break };
            if precedence < least {
                break;
            }
            self.next();
            let right = self.binary(precedence + 1);
            let span = left.span.to(right.span);
            let op_span = self.span(token);
            let (left_box, right) = (Box::new(left), Box::new(right));
            left = Expr { kind: ExprKind::Binary { op, left: left_box, right, op_span }, span };
            self.grow();
        }
        left
    }

    fn unary(&mut self) -> Expr {
        let token = self.peek();
        let op = match token.kind {
            T::Minus => UnaryOp::Negate,
            T::Not => UnaryOp::Not,
            _ => return self.traversed_term(),
        };
        self.next();
        let operand = match self.nested(Self::unary) {
            Some(operand) => operand,
            None => self.invalid(token),
        };
        let span = self.span(token).to(operand.span);
        Expr { kind: ExprKind::Unary { op, operand: Box::new(operand) }, span }
    }
}

fn operator(kind: T) -> Option<(u8, BinaryOp)> {
    Some(match kind {
        T::Or => (0, BinaryOp::Or),
        T::And => (1, BinaryOp::And),
        T::Equal => (2, BinaryOp::Equal),
        T::NotEqual => (2, BinaryOp::NotEqual),
        T::Greater => (3, BinaryOp::Greater),
        T::GreaterOrEqual => (3, BinaryOp::GreaterOrEqual),
        T::Less => (3, BinaryOp::Less),
        T::LessOrEqual => (3, BinaryOp::LessOrEqual),
        T::Plus => (4, BinaryOp::Add),
        T::Minus => (4, BinaryOp::Subtract),
        T::Star => (5, BinaryOp::Multiply),
        T::Slash => (5, BinaryOp::Divide),
        T::Percent => (5, BinaryOp::Modulo),
        _ => return None,
    })
}
