import { describeFixtures } from '../../support/fixtures';

describeFixtures('environment and secrets', __dirname);
