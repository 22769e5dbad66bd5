/** Real projects that xgettext was run over: where each comes from, what of it is searched, and how much is found. */
import type { KINDS } from "../../unit/scanners/extractors/xgettext.ts";

interface Extracted {
  /** The folder that it is fetched into. */
  readonly name: string;
  readonly repository: string;
  readonly commit: string;
  readonly folder: string;
  readonly kind: keyof typeof KINDS;
  readonly ending: string;
  readonly except?: RegExp;
  /** Texts that xgettext finds there, by file. */
  readonly texts: number;
}

const PMPRO = {
  name: "pmpro",
  repository: "strangerstudios/paid-memberships-pro",
  commit: "a36d010b6cacbaf4acc14a93239af0f4d37ee844",
} as const;
const FORMS_BRIDGE = {
  name: "forms-bridge",
  repository: "codeccoop/forms-bridge",
  commit: "b89ea90d675f9e01bd16110b428a30de0eaff425",
} as const;
const PODS = {
  name: "pods",
  repository: "pods-framework/pods",
  commit: "1e605abfce4da7fe67095304faa3ad60e679f48d",
} as const;

export const extracted: readonly Extracted[] = [
  {
    name: "paperless-ngx",
    repository: "paperless-ngx/paperless-ngx",
    commit: "b0e0e8a35373a5d9d588a507cb63c79e50a23403",
    folder: "src",
    kind: "python",
    ending: ".py",
    texts: 548,
  },
  {
    name: "wagtail",
    repository: "wagtail/wagtail",
    commit: "c2ae43b9265d085c95142cd1a1f8563ad2eb4de9",
    folder: "wagtail",
    kind: "python",
    ending: ".py",
    texts: 1435,
  },
  {
    name: "sphinx",
    repository: "sphinx-doc/sphinx",
    commit: "e44a40eb2f810558ccd9da1425421270ccb81351",
    folder: "sphinx",
    kind: "python",
    ending: ".py",
    texts: 201,
  },
  { ...FORMS_BRIDGE, folder: "", kind: "wordpressPhp", ending: ".php", texts: 3391 },
  { ...FORMS_BRIDGE, folder: "", kind: "wordpressJs", ending: ".jsx", texts: 255 },
  { ...PMPRO, folder: "", kind: "wordpressPhp", ending: ".php", texts: 4405 },
  { ...PMPRO, folder: "", kind: "wordpressJs", ending: ".js", except: /min\.js|node_modules/, texts: 107 },
  { ...PODS, folder: "", kind: "wordpressPhp", ending: ".php", texts: 3141 },
  {
    name: "bookstack",
    repository: "BookStackApp/BookStack",
    commit: "6f1c54d018f7d55301eb4c31055b04769f5924d7",
    folder: "",
    kind: "laravelPhp",
    ending: ".php",
    except: /\.blade\.php$/,
    texts: 269,
  },
];
