import { accessSync, constants, mkdirSync, realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { EmbeddedDatabaseError, errorText } from "./failures.ts";

/** The folder's real path; made with mode 0700 when missing, left as it is otherwise. */
export function prepareDataFolder(path: string): string {
  const wanted = resolve(path);
  try {
    mkdirSync(wanted, { recursive: true, mode: 0o700 });
    const folder = realpathSync(wanted);
    if (!statSync(folder).isDirectory()) throw new Error("it is not a folder");
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return folder;
  } catch (error) {
    throw new EmbeddedDatabaseError(
      `The data folder ${wanted} cannot be used: ${errorText(error)}. Set CORPRAIL_DATA_DIR to a folder this user may write.`,
    );
  }
}
