module "m0" {
  source  = "./"
  version = "1.0.0"
}
module "m1" {
  source  = "../"
  version = "1.0.0"
}
module "m2" {
  source  = "./m"
  version = "1.0.0"
}
module "m3" {
  source  = "../m"
  version = "1.0.0"
}
module "m4" {
  source  = "./m//n"
  version = "1.0.0"
}
module "m5" {
  source  = "./m/../../x"
  version = "1.0.0"
}
module "m6" {
  source  = ".\\m"
  version = "1.0.0"
}
module "m7" {
  source  = "..\\m"
  version = "1.0.0"
}
module "m8" {
  source  = "localhost:80/a/b/c"
  version = "1.0.0"
}
module "m9" {
  source  = "h.x:x/a/b/c"
  version = "1.0.0"
}
module "m10" {
  source  = "h.x:99999/a/b/c"
  version = "1.0.0"
}
module "m11" {
  source  = "h.x:/a/b/c"
  version = "1.0.0"
}
module "m12" {
  source  = "github.com/a/b"
  version = "1.0.0"
}
module "m13" {
  source  = "github.com/a/b/c"
  version = "1.0.0"
}
module "m14" {
  source  = "github.com/a/b/c/d"
  version = "1.0.0"
}
module "m15" {
  source  = "git::/x"
  version = "1.0.0"
}
module "m16" {
  source  = "git::"
  version = "1.0.0"
}
module "m17" {
  source  = "hg::"
  version = "1.0.0"
}
module "m18" {
  source  = "git::https://x/y"
  version = "1.0.0"
}
module "m19" {
  source  = "s3::https://s3.amazonaws.com/b/k"
  version = "1.0.0"
}
module "m20" {
  source  = "s3.amazonaws.com/b/k"
  version = "1.0.0"
}
module "m21" {
  source  = "b.s3.amazonaws.com/k"
  version = "1.0.0"
}
module "m22" {
  source  = "b.s3-eu-west-1.amazonaws.com/k"
  version = "1.0.0"
}
module "m23" {
  source  = "s3-eu-west-1.amazonaws.com/b/k"
  version = "1.0.0"
}
module "m24" {
  source  = "b.s3.eu-west-1.amazonaws.com/k"
  version = "1.0.0"
}
module "m25" {
  source  = "x.amazonaws.com/"
  version = "1.0.0"
}
module "m26" {
  source  = "www.googleapis.com/storage/v1/b/k"
  version = "1.0.0"
}
module "m27" {
  source  = "git@github.com:a/b"
  version = "1.0.0"
}
module "m28" {
  source  = "git@github.com:a/b.git//x"
  version = "1.0.0"
}
module "m29" {
  source  = "h:x"
  version = "1.0.0"
}
module "m30" {
  source  = "h:80"
  version = "1.0.0"
}
module "m31" {
  source  = "C:\\x"
  version = "1.0.0"
}
module "m32" {
  source  = "C:/x"
  version = "1.0.0"
}
module "m33" {
  source  = "c:x"
  version = "1.0.0"
}
module "m34" {
  source  = "/abs"
  version = "1.0.0"
}
module "m35" {
  source  = "/abs//x"
  version = "1.0.0"
}
module "m36" {
  source  = "/"
  version = "1.0.0"
}
module "m37" {
  source  = "https://"
  version = "1.0.0"
}
module "m38" {
  source  = "http://x"
  version = "1.0.0"
}
module "m39" {
  source  = "https://x"
  version = "1.0.0"
}
module "m40" {
  source  = "https:///"
  version = "1.0.0"
}
module "m41" {
  source  = "git::git@github.com:a/b"
  version = "1.0.0"
}
module "m42" {
  source  = "git::https://x//.."
  version = "1.0.0"
}
module "m43" {
  source  = "github.com/a/b?ref=1"
  version = "1.0.0"
}
module "m44" {
  source  = "github.com/a/b//x?ref=1"
  version = "1.0.0"
}
module "m45" {
  source  = "file:///x"
  version = "1.0.0"
}
module "m46" {
  source  = "file://x"
  version = "1.0.0"
}
module "m47" {
  source  = "file:x"
  version = "1.0.0"
}
module "m48" {
  source  = "file::/x"
  version = "1.0.0"
}
module "m49" {
  source  = "oci://x"
  version = "1.0.0"
}
module "m50" {
  source  = "./m "
  version = "1.0.0"
}
module "m51" {
  source  = "foo::https://x"
  version = "1.0.0"
}
module "m52" {
  source  = "foo.bar::https://x"
  version = "1.0.0"
}
module "m53" {
  source  = "foo-bar::/x"
  version = "1.0.0"
}
module "m54" {
  source  = "zip::/x"
  version = "1.0.0"
}
module "m55" {
  source  = "a::b::/x"
  version = "1.0.0"
}
module "m56" {
  source  = "git::git::/x"
  version = "1.0.0"
}
module "m57" {
  source  = "h.x:80:80/a/b/c"
  version = "1.0.0"
}
module "m58" {
  source  = "h.x:65536/a/b/c"
  version = "1.0.0"
}
module "m59" {
  source  = "github.com:443/a/b/c"
  version = "1.0.0"
}
module "m60" {
  source  = "bitbucket.org:443/a/b/c"
  version = "1.0.0"
}
module "m61" {
  source  = "a.s3.c.amazonaws.com/k"
  version = "1.0.0"
}
module "m62" {
  source  = "s3.eu.amazonaws.com/k/x"
  version = "1.0.0"
}
module "m63" {
  source  = ".amazonaws.com/k"
  version = "1.0.0"
}
module "m64" {
  source  = "s3.amazonaws.com/b/k?x=1"
  version = "1.0.0"
}
module "m65" {
  source  = "s3.amazonaws.com/b k"
  version = "1.0.0"
}
module "m66" {
  source  = "a/b/googleapis.com/c/d"
  version = "1.0.0"
}
module "m67" {
  source  = "github.com/a/b/.."
  version = "1.0.0"
}
module "m68" {
  source  = "github.com/a/b/./c"
  version = "1.0.0"
}
module "m69" {
  source  = "github.com/a/b c"
  version = "1.0.0"
}
module "m70" {
  source  = "github.com/a/b//"
  version = "1.0.0"
}
module "m71" {
  source  = "github.com/a/"
  version = "1.0.0"
}
module "m72" {
  source  = "github.com/a/b?ref=%zz"
  version = "1.0.0"
}
module "m73" {
  source  = "github.com/a/b#x"
  version = "1.0.0"
}
module "m74" {
  source  = "github.com/a/b//x//y"
  version = "1.0.0"
}
module "m75" {
  source  = "github.com/a/b.git//x"
  version = "1.0.0"
}
module "m76" {
  source  = "github.com/a/b/c?ref=1"
  version = "1.0.0"
}
module "m77" {
  source  = "github.com/ /b"
  version = "1.0.0"
}
module "m78" {
  source  = "github.com/a/{b}"
  version = "1.0.0"
}
module "m79" {
  source  = "github.com/\\a/b"
  version = "1.0.0"
}
module "m80" {
  source  = "git@h:x"
  version = "1.0.0"
}
module "m81" {
  source  = "git@h:/x"
  version = "1.0.0"
}
module "m82" {
  source  = "git@h:x?ref=1"
  version = "1.0.0"
}
module "m83" {
  source  = "git@h:x//y"
  version = "1.0.0"
}
module "m84" {
  source  = "git@h x:y"
  version = "1.0.0"
}
module "m85" {
  source  = "git::git@h:x"
  version = "1.0.0"
}
module "m86" {
  source  = "git::h:x"
  version = "1.0.0"
}
module "m87" {
  source  = "git::ssh://git@h:22/y"
  version = "1.0.0"
}
module "m88" {
  source  = "https://u:p@h/x"
  version = "1.0.0"
}
module "m89" {
  source  = "https://h%C3%A9/x"
  version = "1.0.0"
}
module "m90" {
  source  = "https://[::1]/x"
  version = "1.0.0"
}
module "m91" {
  source  = "https://h:/x"
  version = "1.0.0"
}
module "m92" {
  source  = "https:x"
  version = "1.0.0"
}
module "m93" {
  source  = "https:/x"
  version = "1.0.0"
}
module "m94" {
  source  = "https:"
  version = "1.0.0"
}
module "m95" {
  source  = "HTTPS://x"
  version = "1.0.0"
}
module "m96" {
  source  = "h-t+p.s://x"
  version = "1.0.0"
}
module "m97" {
  source  = "https://x?y=%zz"
  version = "1.0.0"
}
module "m98" {
  source  = "https://x/y z"
  version = "1.0.0"
}
module "m99" {
  source  = "https://x//a/../.."
  version = "1.0.0"
}
module "m100" {
  source  = "https://x?a//../b"
  version = "1.0.0"
}
module "m101" {
  source  = "https://x//y?a=//../b"
  version = "1.0.0"
}
module "m102" {
  source  = "/x/../y"
  version = "1.0.0"
}
module "m103" {
  source  = "/x//y//z"
  version = "1.0.0"
}
module "m104" {
  source  = "/ x"
  version = "1.0.0"
}
module "m105" {
  source  = "C:\\x\\y"
  version = "1.0.0"
}
module "m106" {
  source  = "C:m"
  version = "1.0.0"
}
module "m107" {
  source  = ".\\"
  version = "1.0.0"
}
module "m108" {
  source  = "..\\"
  version = "1.0.0"
}
module "m109" {
  source  = ".//m"
  version = "1.0.0"
}
module "m110" {
  source  = "./m?x"
  version = "1.0.0"
}
module "m111" {
  source  = "./m//../.."
  version = "1.0.0"
}
module "m112" {
  source  = ".\\..\\m"
  version = "1.0.0"
}
module "m113" {
  source  = "..\\..\\m"
  version = "1.0.0"
}
module "m114" {
  source  = "./ m"
  version = "1.0.0"
}
module "m115" {
  source  = "./.terraform/x"
  version = "1.0.0"
}
module "m116" {
  source  = "file:./m"
  version = "1.0.0"
}
module "m117" {
  source  = "file:///"
  version = "1.0.0"
}
module "m118" {
  source  = "file://./m"
  version = "1.0.0"
}
module "m119" {
  source  = "gcs::https://x"
  version = "1.0.0"
}
module "m120" {
  source  = "s3::https://x"
  version = "1.0.0"
}
module "m121" {
  source  = "mercurial::/x"
  version = "1.0.0"
}
module "m122" {
  source  = "git:x"
  version = "1.0.0"
}
module "m123" {
  source  = "git://x/y"
  version = "1.0.0"
}
module "m124" {
  source  = "git:/x"
  version = "1.0.0"
}
module "m125" {
  source  = "hg::/x"
  version = "1.0.0"
}
module "m126" {
  source  = "hg::https://x"
  version = "1.0.0"
}
module "m127" {
  source  = "svn::https://x"
  version = "1.0.0"
}
module "m128" {
  source  = "oci://x/y"
  version = "1.0.0"
}
module "m129" {
  source  = "oci::https://x"
  version = "1.0.0"
}
module "m130" {
  source  = "ipfs://x"
  version = "1.0.0"
}
module "m131" {
  source  = "/a/b/"
  version = "1.0.0"
}
module "m132" {
  source  = "/a/b/c"
  version = "1.0.0"
}
