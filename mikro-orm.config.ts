import { readCommandSettings } from './src/config/settings.ts';
import { ormOptions } from './src/db/options.ts';

// For the ORM's command line only (MIKRO_ORM_CLI_CONFIG=./mikro-orm.config.ts); the service never reads this file.
export default ormOptions({ url: readCommandSettings().database.url ?? 'postgres://127.0.0.1:5432/events_gateway' });
