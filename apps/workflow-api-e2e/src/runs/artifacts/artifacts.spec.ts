import { describeFixtures } from '../../support/fixtures';

describeFixtures('artifacts', __dirname);
