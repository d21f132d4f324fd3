export { DataFolderHeld, EmbeddedDatabaseError } from "./failures.ts";
export { type EmbeddedDatabase, startEmbedded } from "./start-embedded.ts";
