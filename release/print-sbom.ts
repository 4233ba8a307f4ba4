import { productionBom } from './sbom.ts';

// npm run --silent sbom > sbom.cdx.json: what a production install consists of (docs/contribute/release.md#releases)
process.stdout.write(`${JSON.stringify(productionBom(process.cwd()), null, 2)}\n`);
