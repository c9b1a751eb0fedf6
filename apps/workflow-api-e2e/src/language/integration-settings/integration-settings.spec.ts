import { describeFixtures } from '../../support/fixtures';

describeFixtures('integration settings', __dirname);
