package main

import (
	"encoding/base64"
	"fmt"
	"math/big"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// dumper turns hclsyntax's tree into the recorded form.
type dumper struct {
	source []byte
	// The markers of the splats around the place.
	markers []hcl.Range
}

type node = []any

func (d *dumper) body(body *hclsyntax.Body) any {
	items := []node{}
	for name, it := range body.Attributes {
		value := d.expr(it.Expr)
		items = append(items, node{"attr", it.NameRange.Start.Byte, end(value), text(name), value})
	}
	for _, it := range body.Blocks {
		labels := []any{}
		for n, label := range it.Labels {
			span := it.LabelRanges[n]
			labels = append(labels, node{"label", span.Start.Byte, span.End.Byte, text(label)})
		}
		items = append(items, node{
			"block", it.TypeRange.Start.Byte, it.CloseBraceRange.End.Byte,
			text(it.Type), labels, d.body(it.Body),
		})
	}
	sort.Slice(items, func(a, b int) bool { return items[a][1].(int) < items[b][1].(int) })
	return items
}

func (d *dumper) expr(expr hclsyntax.Expression) node {
	span := expr.Range()
	from, to := span.Start.Byte, span.End.Byte
	switch it := expr.(type) {
	case *hclsyntax.LiteralValueExpr:
		return literal(it.Val, from, to)
	case *hclsyntax.TemplateExpr:
		return d.template(it)
	case *hclsyntax.TemplateWrapExpr:
		return node{"wrap", from, to, d.expr(it.Wrapped)}
	case *hclsyntax.ScopeTraversalExpr:
		root := it.Traversal[0].(hcl.TraverseRoot)
		base := node{"var", root.SrcRange.Start.Byte, root.SrcRange.End.Byte, text(root.Name)}
		return d.steps(base, it.Traversal[1:])
	case *hclsyntax.RelativeTraversalExpr:
		return d.steps(d.expr(it.Source), it.Traversal)
	case *hclsyntax.IndexExpr:
		base := d.expr(it.Collection)
		return node{"idx", base[1], to, base, d.expr(it.Key)}
	case *hclsyntax.SplatExpr:
		return d.splat(it)
	case *hclsyntax.AnonSymbolExpr:
		marker := d.markers[len(d.markers)-1]
		return node{"it", marker.Start.Byte, marker.End.Byte}
	case *hclsyntax.FunctionCallExpr:
		return node{"call", from, to, text(it.Name), d.exprs(it.Args), it.ExpandFinal}
	case *hclsyntax.UnaryOpExpr:
		op := "-"
		if it.Op == hclsyntax.OpLogicalNot {
			op = "!"
		}
		value := d.expr(it.Val)
		return node{"un", from, end(value), op, value}
	case *hclsyntax.BinaryOpExpr:
		left, right := d.expr(it.LHS), d.expr(it.RHS)
		return node{"bin", left[1], end(right), operators[it.Op], left, right}
	case *hclsyntax.ConditionalExpr:
		condition := d.expr(it.Condition)
		then, otherwise := d.expr(it.TrueResult), d.expr(it.FalseResult)
		return node{"cond", condition[1], end(otherwise), condition, then, otherwise}
	case *hclsyntax.ParenthesesExpr:
		return node{"paren", from, to, d.expr(it.Expression)}
	case *hclsyntax.TupleConsExpr:
		return node{"tuple", from, to, d.exprs(it.Exprs)}
	case *hclsyntax.ObjectConsExpr:
		items := []any{}
		for _, item := range it.Items {
			items = append(items, []any{d.key(item.KeyExpr), d.expr(item.ValueExpr)})
		}
		return node{"obj", from, to, items}
	case *hclsyntax.ForExpr:
		return d.forExpr(it)
	}
	panic(fmt.Sprintf("unknown expression %T", expr))
}

var operators = map[*hclsyntax.Operation]string{
	hclsyntax.OpLogicalOr: "||", hclsyntax.OpLogicalAnd: "&&",
	hclsyntax.OpEqual: "==", hclsyntax.OpNotEqual: "!=",
	hclsyntax.OpGreaterThan: ">", hclsyntax.OpGreaterThanOrEqual: ">=",
	hclsyntax.OpLessThan: "<", hclsyntax.OpLessThanOrEqual: "<=",
	hclsyntax.OpAdd: "+", hclsyntax.OpSubtract: "-",
	hclsyntax.OpMultiply: "*", hclsyntax.OpDivide: "/", hclsyntax.OpModulo: "%",
}

func (d *dumper) exprs(exprs []hclsyntax.Expression) []any {
	all := []any{}
	for _, it := range exprs {
		all = append(all, d.expr(it))
	}
	return all
}

func (d *dumper) key(expr hclsyntax.Expression) node {
	key, ok := expr.(*hclsyntax.ObjectConsKeyExpr)
	if !ok {
		return d.expr(expr)
	}
	span := key.Wrapped.Range()
	if word := hcl.ExprAsKeyword(key.Wrapped); word != "" {
		return node{"key", span.Start.Byte, span.End.Byte, text(word)}
	}
	return d.expr(key.Wrapped)
}

func (d *dumper) forExpr(it *hclsyntax.ForExpr) node {
	optional := func(expr hclsyntax.Expression) any {
		if expr == nil {
			return nil
		}
		return d.expr(expr)
	}
	span := it.Range()
	return node{
		"for", span.Start.Byte, span.End.Byte, name(it.KeyVar), name(it.ValVar),
		d.expr(it.CollExpr), optional(it.KeyExpr), d.expr(it.ValExpr), optional(it.CondExpr), it.Group,
	}
}

func (d *dumper) steps(base node, steps hcl.Traversal) node {
	for _, step := range steps {
		span := step.SourceRange()
		switch it := step.(type) {
		case hcl.TraverseAttr:
			base = node{"get", base[1], span.End.Byte, base, text(it.Name)}
		case hcl.TraverseIndex:
			from, to := d.keyRange(span)
			base = node{"idx", base[1], span.End.Byte, base, literal(it.Key, from, to)}
		default:
			panic(fmt.Sprintf("unknown step %T", step))
		}
	}
	return base
}

// keyRange finds the constant key inside the range of its index step.
func (d *dumper) keyRange(span hcl.Range) (int, int) {
	tokens, _ := hclsyntax.LexExpression(span.SliceBytes(d.source), "", hcl.Pos{Byte: span.Start.Byte, Line: 1, Column: 1})
	from, to := -1, -1
	for _, token := range tokens {
		switch token.Type {
		case hclsyntax.TokenOBrack, hclsyntax.TokenCBrack, hclsyntax.TokenDot, hclsyntax.TokenEOF,
			hclsyntax.TokenNewline, hclsyntax.TokenComment:
			continue
		}
		if from < 0 {
			from = token.Range.Start.Byte
		}
		to = token.Range.End.Byte
	}
	return from, to
}

func (d *dumper) splat(it *hclsyntax.SplatExpr) node {
	source := d.expr(it.Source)
	kind := "full"
	if d.source[it.MarkerRange.Start.Byte] == '.' {
		kind = "attr"
	}
	d.markers = append(d.markers, it.MarkerRange)
	each := d.expr(it.Each)
	d.markers = d.markers[:len(d.markers)-1]
	return node{"splat", source[1], end(each), kind, source, each}
}

func (d *dumper) template(it *hclsyntax.TemplateExpr) node {
	span := it.Range()
	whole, plain := "", true
	for _, part := range it.Parts {
		literal, ok := part.(*hclsyntax.LiteralValueExpr)
		if !ok || literal.Val.Type() != cty.String || literal.Val.IsNull() {
			plain = false
			break
		}
		whole += literal.Val.AsString()
	}
	if plain {
		return node{"str", span.Start.Byte, span.End.Byte, text(whole)}
	}
	return node{"tmpl", span.Start.Byte, span.End.Byte, d.parts(it.Parts)}
}

func (d *dumper) parts(parts []hclsyntax.Expression) []any {
	all := []any{}
	pending, from, to := "", -1, -1
	flush := func() {
		if pending != "" {
			all = append(all, node{"lit", from, to, text(pending)})
		}
		pending, from = "", -1
	}
	for _, part := range parts {
		literal, ok := part.(*hclsyntax.LiteralValueExpr)
		if ok && literal.Val.Type() == cty.String && !literal.Val.IsNull() {
			if from < 0 {
				from = literal.SrcRange.Start.Byte
			}
			to = literal.SrcRange.End.Byte
			pending += literal.Val.AsString()
			continue
		}
		flush()
		all = append(all, d.part(part))
	}
	flush()
	return all
}

func (d *dumper) part(part hclsyntax.Expression) node {
	span := part.Range()
	switch it := part.(type) {
	case *hclsyntax.ConditionalExpr:
		if strings.HasPrefix(string(d.source[span.Start.Byte:]), "%{") {
			return node{
				"%if", span.Start.Byte, span.End.Byte,
				d.expr(it.Condition), d.branch(it.TrueResult), d.branch(it.FalseResult),
			}
		}
	case *hclsyntax.TemplateJoinExpr:
		loop := it.Tuple.(*hclsyntax.ForExpr)
		return node{
			"%for", span.Start.Byte, span.End.Byte, name(loop.KeyVar), name(loop.ValVar),
			d.expr(loop.CollExpr), d.branch(loop.ValExpr),
		}
	}
	return d.expr(part)
}

func (d *dumper) branch(expr hclsyntax.Expression) []any {
	if it, ok := expr.(*hclsyntax.TemplateExpr); ok {
		return d.parts(it.Parts)
	}
	return d.parts([]hclsyntax.Expression{expr})
}

func literal(value cty.Value, from, to int) node {
	switch {
	case value.IsNull():
		return node{"null", from, to}
	case value.Type() == cty.Bool:
		return node{"bool", from, to, value.True()}
	case value.Type() == cty.String:
		return node{"str", from, to, text(value.AsString())}
	default:
		return node{"num", from, to, number(value.AsBigFloat())}
	}
}

// number is the shortest decimal that gives the value.
func number(value *big.Float) string {
	if value.IsInf() {
		return "inf"
	}
	scientific := strings.Replace(value.Text('e', -1), "e+", "e", 1)
	exponent := 0
	fmt.Sscanf(scientific[strings.IndexByte(scientific, 'e')+1:], "%d", &exponent)
	if exponent > 400 || exponent < -400 {
		return scientific
	}
	return value.Text('f', -1)
}

func text(text string) any {
	if utf8.ValidString(text) {
		return text
	}
	return map[string]string{"b64": base64.StdEncoding.EncodeToString([]byte(text))}
}

func name(name string) any {
	if name == "" {
		return nil
	}
	return text(name)
}

func end(of node) int {
	return of[2].(int)
}
