import { describeFixtures } from '../../support/fixtures';

describeFixtures('base configuration', __dirname);
