import { cpus, totalmem } from "node:os";

export function machine() {
  const [first] = cpus();
  return {
    cores: cpus().length,
    processor: first?.model ?? "unknown",
    memoryMegabytes: Math.round(totalmem() / 1024 / 1024),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    at: new Date().toISOString(),
  };
}
