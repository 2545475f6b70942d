// A provider with every kind of argument and block that the plugin SDK has, for the tests of policies.
//
// It keeps nothing anywhere: what is written is what there is. Its ids follow from names, so that plans of it are
// the same each time.
package main

import (
	"context"

	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/hashicorp/terraform-plugin-sdk/v2/plugin"
)

func main() {
	plugin.Serve(&plugin.ServeOpts{ProviderFunc: provider, ProviderAddr: "registry.terraform.io/example/shapes"})
}

func provider() *schema.Provider {
	return &schema.Provider{
		Schema: map[string]*schema.Schema{
			"region": {Type: schema.TypeString, Optional: true, Default: "north"},
			"token":  {Type: schema.TypeString, Optional: true, Sensitive: true},
			"default_tags": {
				Type: schema.TypeMap, Optional: true, Elem: &schema.Schema{Type: schema.TypeString},
			},
		},
		ResourcesMap: map[string]*schema.Resource{
			"shapes_machine": machine(),
			"shapes_disk":    disk(),
			"shapes_label":   label(),
		},
		DataSourcesMap: map[string]*schema.Resource{"shapes_zone": zone()},
		ConfigureContextFunc: func(_ context.Context, data *schema.ResourceData) (any, diag.Diagnostics) {
			tags, _ := data.Get("default_tags").(map[string]any)
			return tags, nil
		},
	}
}

func text() *schema.Schema { return &schema.Schema{Type: schema.TypeString} }

func required() *schema.Schema { return &schema.Schema{Type: schema.TypeString, Required: true} }

func optional(kind schema.ValueType) *schema.Schema { return &schema.Schema{Type: kind, Optional: true} }

// machine has every kind of attribute, and nested blocks as lists, as sets, as single ones, and inside of each other.
func machine() *schema.Resource {
	filter := map[string]*schema.Schema{
		"prefix": optional(schema.TypeString),
		"suffix": {Type: schema.TypeString, Optional: true, Default: ".log"},
	}
	port := map[string]*schema.Schema{
		"number": {Type: schema.TypeInt, Required: true},
		"name":   optional(schema.TypeString),
	}
	rule := map[string]*schema.Schema{
		"protocol": required(),
		"allow":    {Type: schema.TypeBool, Optional: true, Default: true},
		"cidrs":    {Type: schema.TypeList, Optional: true, Elem: text()},
		"port":     {Type: schema.TypeSet, Optional: true, Elem: &schema.Resource{Schema: port}},
		"id":       {Type: schema.TypeString, Computed: true},
	}
	logging := map[string]*schema.Schema{
		"target": required(),
		"format": {Type: schema.TypeString, Optional: true, Computed: true},
		"filter": {Type: schema.TypeList, Optional: true, MaxItems: 1, Elem: &schema.Resource{Schema: filter}},
	}
	tag := map[string]*schema.Schema{"key": required(), "value": optional(schema.TypeString)}
	user := map[string]*schema.Schema{
		"name":     required(),
		"password": {Type: schema.TypeString, Optional: true, Sensitive: true},
	}
	status := map[string]*schema.Schema{"phase": {Type: schema.TypeString, Computed: true}}
	it := kept("machine")
	it.Timeouts = &schema.ResourceTimeout{Create: schema.DefaultTimeout(20 * 60 * 1e9)}
	it.CustomizeDiff = allTags
	it.Schema = map[string]*schema.Schema{
		"name":     required(),
		"kind":     {Type: schema.TypeString, Optional: true, ForceNew: true},
		"region":   {Type: schema.TypeString, Optional: true, Computed: true},
		"size":     {Type: schema.TypeInt, Optional: true, Default: 8},
		"ratio":    optional(schema.TypeFloat),
		"enabled":  {Type: schema.TypeBool, Optional: true, Default: true},
		"public":   optional(schema.TypeBool),
		"password": {Type: schema.TypeString, Optional: true, Sensitive: true},
		"seed":     {Type: schema.TypeString, Optional: true, WriteOnly: true},
		"policy":   optional(schema.TypeString),
		"arn":      {Type: schema.TypeString, Computed: true},
		"zones":    {Type: schema.TypeList, Optional: true, Elem: text()},
		"matrix": {Type: schema.TypeList, Optional: true, Elem: &schema.Schema{
			Type: schema.TypeList, Elem: &schema.Schema{Type: schema.TypeInt},
		}},
		"ports":    {Type: schema.TypeSet, Optional: true, Elem: &schema.Schema{Type: schema.TypeInt}},
		"groups":   {Type: schema.TypeSet, Optional: true, Computed: true, Elem: text()},
		"tags":     {Type: schema.TypeMap, Optional: true, Elem: text()},
		"tags_all": {Type: schema.TypeMap, Optional: true, Computed: true, Elem: text()},
		"weights":  {Type: schema.TypeMap, Optional: true, Elem: &schema.Schema{Type: schema.TypeInt}},
		"rule":     {Type: schema.TypeList, Optional: true, Elem: &schema.Resource{Schema: rule}},
		"tag":      {Type: schema.TypeSet, Optional: true, Elem: &schema.Resource{Schema: tag}},
		"logging":  {Type: schema.TypeList, Optional: true, MaxItems: 1, Elem: &schema.Resource{Schema: logging}},
		"user":     {Type: schema.TypeList, Optional: true, Elem: &schema.Resource{Schema: user}},
		// Written as an attribute, though it looks like a block.
		"access": {
			Type: schema.TypeList, Optional: true, Computed: true, ConfigMode: schema.SchemaConfigModeAttr,
			Elem: &schema.Resource{Schema: map[string]*schema.Schema{"role": optional(schema.TypeString)}},
		},
		"status": {Type: schema.TypeList, Computed: true, Elem: &schema.Resource{Schema: status}},
	}
	return it
}

func disk() *schema.Resource {
	it := kept("disk")
	it.Schema = map[string]*schema.Schema{
		"name":      optional(schema.TypeString),
		"machine":   {Type: schema.TypeString, Required: true, ForceNew: true},
		"machines":  {Type: schema.TypeSet, Optional: true, Elem: text()},
		"encrypted": {Type: schema.TypeBool, Optional: true, Default: false},
		"zone":      optional(schema.TypeString),
	}
	return it
}

// label is a type without tags.
func label() *schema.Resource {
	it := kept("label")
	it.Schema = map[string]*schema.Schema{"name": required(), "text": optional(schema.TypeString)}
	return it
}

func zone() *schema.Resource {
	filter := map[string]*schema.Schema{"name": required(), "values": {Type: schema.TypeList, Required: true, Elem: text()}}
	return &schema.Resource{
		Schema: map[string]*schema.Schema{
			"name":   required(),
			"code":   {Type: schema.TypeString, Computed: true},
			"filter": {Type: schema.TypeSet, Optional: true, Elem: &schema.Resource{Schema: filter}},
		},
		ReadContext: func(_ context.Context, data *schema.ResourceData, _ any) diag.Diagnostics {
			data.SetId("zone-" + data.Get("name").(string))
			return diag.FromErr(data.Set("code", "Z"))
		},
	}
}

// kept is a resource that has what is written, and an id of its kind and name.
func kept(kind string) *schema.Resource {
	nothing := func(context.Context, *schema.ResourceData, any) diag.Diagnostics { return nil }
	return &schema.Resource{
		CreateContext: func(_ context.Context, data *schema.ResourceData, _ any) diag.Diagnostics {
			name, _ := data.Get("name").(string)
			data.SetId(kind + "-" + name)
			computed := map[string]any{}
			if kind == "machine" {
				computed["arn"] = "arn:" + name
				computed["status"] = []any{map[string]any{"phase": "running"}}
				for argument, value := range map[string]any{"region": "north", "groups": []any{"all"}} {
					if _, isSet := data.GetOk(argument); !isSet {
						computed[argument] = value
					}
				}
			}
			for argument, value := range computed {
				if err := data.Set(argument, value); err != nil {
					return diag.FromErr(err)
				}
			}
			return nil
		},
		ReadContext:   nothing,
		UpdateContext: nothing,
		DeleteContext: nothing,
		Importer: &schema.ResourceImporter{
			StateContext: func(_ context.Context, data *schema.ResourceData, _ any) ([]*schema.ResourceData, error) {
				return []*schema.ResourceData{data}, data.Set("name", data.Id())
			},
		},
	}
}

// allTags fills in tags_all as the provider of AWS does: unknown while a tag is.
func allTags(_ context.Context, diff *schema.ResourceDiff, meta any) error {
	if !diff.GetRawPlan().GetAttr("tags").IsWhollyKnown() {
		return diff.SetNewComputed("tags_all")
	}
	all := map[string]any{}
	defaults, _ := meta.(map[string]any)
	for name, value := range defaults {
		all[name] = value
	}
	for name, value := range diff.Get("tags").(map[string]any) {
		all[name] = value
	}
	return diff.SetNew("tags_all", all)
}
