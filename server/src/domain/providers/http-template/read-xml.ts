import type { XmlElement } from "../../../platform/core/xml.ts";

/** `/response/status`, `response/status` or `response/@code`; null unless there is exactly one match. */
export function xmlText(root: XmlElement, path: string): string | null {
  const steps = path.replace(/^\//, "").split("/");
  const last = steps.at(-1) ?? "";
  const attribute = last.startsWith("@") ? last.slice(1) : null;
  const names = attribute === null ? steps : steps.slice(0, -1);
  if (names[0] !== root.name) return null;
  let here = root;
  for (const name of names.slice(1)) {
    const [found, ...others] = here.children.filter((child) => child.name === name);
    if (!found || others.length > 0) return null;
    here = found;
  }
  if (attribute !== null) return here.attributes.get(attribute) ?? null;
  return here.children.length === 0 ? here.text.trim() : null;
}
