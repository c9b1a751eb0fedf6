import { describeFixtures } from '../../support/fixtures';

describeFixtures('router', __dirname);
