import { describeFixtures } from '../../support/fixtures';

describeFixtures('run context and environment', __dirname);
