const WHOLE: Readonly<Record<string, string>> = {
  base_url: "Address of the provider (base URL)",
  plain_http: "Allow http without encryption",
  query: "Query parameters",
  url: "URL",
  by: "Our key",
  else: "Code for every other key",
  values: "Codes",
  times: "Time zone",
  amount: "Format of amounts",
  reference: "Reference",
  read: "Reading the answer",
  outcome: "Rules for the answer",
  when: "Conditions",
  means: "Means",
  status: "Status query",
  value: "Value",
  computed: "Computed values",
  is: "Is present or absent",
  not: "Is not",
  each: "One for each",
  http: "HTTP status",
  iv: "Initialisation vector",
  iv_format: "Format of the initialisation vector",
  ca: "Certificates to trust",
};

const WORDS: Readonly<Record<string, string>> = { http: "HTTP", url: "URL", jwt: "JWT", json: "JSON", xml: "XML", rsa: "RSA", id: "ID" };

/** A field's name in words. */
export function labelOf(name: string): string {
  const own = WHOLE[name];
  if (own !== undefined) return own;
  const text = name
    .split("_")
    .map((word) => WORDS[word] ?? word)
    .join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
