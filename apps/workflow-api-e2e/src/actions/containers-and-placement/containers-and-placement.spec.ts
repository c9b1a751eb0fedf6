import { describeFixtures } from '../../support/fixtures';

describeFixtures('containers and placement', __dirname);
