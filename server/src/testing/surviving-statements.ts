// Statements with large parameters, ten at a time on one connection to the database of the first argument.
import { randomBytes } from "node:crypto";
import { connect } from "../platform/db/connection.ts";
import { printSurvivors } from "./young-objects.ts";

const pool = connect({ url: process.argv[2] ?? "", connections: 1, role: null });
const parameter = () => randomBytes(4_000).toString("latin1").replaceAll("\0", "x");

await printSurvivors(200, () =>
  Promise.all(Array.from({ length: 10 }, () => pool.sql`select length(${parameter()}::text) as value`.execute())),
);
await pool.close();
