// A provider whose resources, data sources and ephemeral resources keep what is written, for questions about
// Terraform's language: hashicorp/fake in a mirror of its own.
package main

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	dschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	eschema "github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	pschema "github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	rschema "github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

func main() {
	err := providerserver.Serve(context.Background(), func() provider.Provider { return fake{} },
		providerserver.ServeOpts{Address: "registry.terraform.io/hashicorp/fake"})
	if err != nil {
		panic(err)
	}
}

type fake struct{}

func (fake) Metadata(_ context.Context, _ provider.MetadataRequest, r *provider.MetadataResponse) {
	r.TypeName = "fake"
}
func (fake) Schema(_ context.Context, _ provider.SchemaRequest, r *provider.SchemaResponse) {
	r.Schema = pschema.Schema{
		Attributes: map[string]pschema.Attribute{
			"region": pschema.StringAttribute{Optional: true},
			"any":    pschema.DynamicAttribute{Optional: true},
		},
		Blocks: map[string]pschema.Block{
			"conf": pschema.ListNestedBlock{NestedObject: pschema.NestedBlockObject{
				Attributes: map[string]pschema.Attribute{"name": pschema.StringAttribute{Optional: true}},
			}},
		},
	}
}
func (fake) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {}
func (fake) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{func() resource.Resource { return thing{} }}
}
func (fake) DataSources(context.Context) []func() datasource.DataSource {
	return []func() datasource.DataSource{func() datasource.DataSource { return lookup{} }}
}
func (fake) EphemeralResources(context.Context) []func() ephemeral.EphemeralResource {
	return []func() ephemeral.EphemeralResource{func() ephemeral.EphemeralResource { return token{} }}
}

type thing struct{}

func (thing) Metadata(_ context.Context, _ resource.MetadataRequest, r *resource.MetadataResponse) {
	r.TypeName = "fake_thing"
}
func (thing) Schema(_ context.Context, _ resource.SchemaRequest, r *resource.SchemaResponse) {
	blk := rschema.NestedBlockObject{
		Attributes: map[string]rschema.Attribute{
			"n":    rschema.NumberAttribute{Optional: true},
			"name": rschema.StringAttribute{Optional: true},
		},
		Blocks: map[string]rschema.Block{
			"inner": rschema.ListNestedBlock{NestedObject: rschema.NestedBlockObject{
				Attributes: map[string]rschema.Attribute{"v": rschema.StringAttribute{Optional: true}},
			}},
		},
	}
	r.Schema = rschema.Schema{
		Attributes: map[string]rschema.Attribute{
			"id":   rschema.StringAttribute{Computed: true},
			"name": rschema.StringAttribute{Optional: true},
			"any":  rschema.DynamicAttribute{Optional: true},
			"tags": rschema.MapAttribute{Optional: true, ElementType: types.StringType},
			"l":    rschema.ListAttribute{Optional: true, ElementType: types.StringType},
		},
		Blocks: map[string]rschema.Block{
			"blk":   rschema.ListNestedBlock{NestedObject: blk},
			"other": rschema.SetNestedBlock{NestedObject: blk},
		},
	}
}
func (thing) Create(ctx context.Context, q resource.CreateRequest, r *resource.CreateResponse) {
	r.State.Raw = q.Plan.Raw
	r.State.SetAttribute(ctx, path.Root("id"), "id")
}
func (thing) Read(context.Context, resource.ReadRequest, *resource.ReadResponse)   {}
func (thing) Update(_ context.Context, q resource.UpdateRequest, r *resource.UpdateResponse) { r.State.Raw = q.Plan.Raw }
func (thing) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}
func (thing) ImportState(ctx context.Context, q resource.ImportStateRequest, r *resource.ImportStateResponse) {
	resource.ImportStatePassthroughID(ctx, path.Root("id"), q, r)
}

type lookup struct{}

func (lookup) Metadata(_ context.Context, _ datasource.MetadataRequest, r *datasource.MetadataResponse) {
	r.TypeName = "fake_lookup"
}
func (lookup) Schema(_ context.Context, _ datasource.SchemaRequest, r *datasource.SchemaResponse) {
	r.Schema = dschema.Schema{
		Attributes: map[string]dschema.Attribute{
			"id":    dschema.StringAttribute{Computed: true},
			"value": dschema.StringAttribute{Computed: true},
			"name":  dschema.StringAttribute{Optional: true},
			"any":   dschema.DynamicAttribute{Optional: true},
		},
		Blocks: map[string]dschema.Block{
			"blk": dschema.ListNestedBlock{NestedObject: dschema.NestedBlockObject{
				Attributes: map[string]dschema.Attribute{"name": dschema.StringAttribute{Optional: true}},
			}},
		},
	}
}
func (lookup) Read(ctx context.Context, q datasource.ReadRequest, r *datasource.ReadResponse) {
	r.State.Raw = q.Config.Raw
	r.State.SetAttribute(ctx, path.Root("id"), "id")
	r.State.SetAttribute(ctx, path.Root("value"), "v")
}

type token struct{}

func (token) Metadata(_ context.Context, _ ephemeral.MetadataRequest, r *ephemeral.MetadataResponse) {
	r.TypeName = "fake_token"
}
func (token) Schema(_ context.Context, _ ephemeral.SchemaRequest, r *ephemeral.SchemaResponse) {
	r.Schema = eschema.Schema{
		Attributes: map[string]eschema.Attribute{
			"value": eschema.StringAttribute{Computed: true},
			"name":  eschema.StringAttribute{Optional: true},
		},
	}
}
func (token) Open(ctx context.Context, q ephemeral.OpenRequest, r *ephemeral.OpenResponse) {
	r.Result.Raw = q.Config.Raw
	r.Result.SetAttribute(ctx, path.Root("value"), "t")
}
