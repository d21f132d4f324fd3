// The software bill of materials, in the CycloneDX format: npm's description of the lock file, without what is not in use.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/**
 * @param references the packages to list, as "name@version"
 * @param madeAt the time to state. The document's number is made from its content, so that the same input gives the same bytes.
 */
export function sbom(references, madeAt) {
  const words = ["sbom", "--sbom-format=cyclonedx", "--sbom-type=application", "--package-lock-only"];
  const written = execFileSync("npm", words, {
    cwd: ROOT,
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const document = JSON.parse(written);
  const isIn = (reference) => references.has(reference);
  const product = document.metadata.component;
  // npm names the component after the folder of the checkout.
  product.name = "corprail";
  document.components = document.components.filter((component) => isIn(component["bom-ref"]));
  document.dependencies = document.dependencies
    .filter(({ ref }) => ref === product["bom-ref"] || isIn(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isIn) }));
  document.metadata.timestamp = madeAt.toISOString();
  document.serialNumber = `urn:uuid:${uuidOf(JSON.stringify([document.components, document.dependencies]))}`;
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** A UUID of version 8, whose bits are free to choose. */
function uuidOf(text) {
  const hex = createHash("sha256").update(text).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
