type Address = { readonly host: string; readonly port: number };

/** The error for an address on which the service cannot listen. It names the variable that sets the port. */
export function listenFault({ host, port }: Address, variable: string, error: NodeJS.ErrnoException): Error {
  const why = error.code === "EADDRINUSE" ? `another program is already listening there; set ${variable} to a free port` : error.message;
  return new Error(`Corprail cannot listen on ${host}:${port}: ${why}.`, { cause: error });
}
