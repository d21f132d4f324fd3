import { accessSync, constants, mkdirSync, realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { EmbeddedDatabaseError, errorText } from "./failures.ts";

/** Returns the folder's real path. Creates it with mode 0700 if it is missing; an existing folder is not changed. */
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
