export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["describeService"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["checkHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["checkHealthy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["checkReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/basic_register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/basic_login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["logIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/create_or_login_user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createOrLogInUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/login_judge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["logInJudge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/basic_request_password_reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["requestPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/basic_reset_password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listUsers"];
        put?: never;
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readUser"];
        put: operations["updateUser"];
        post?: never;
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{user_id}/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["setPassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["importUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/problems": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listProblems"];
        put?: never;
        post: operations["createProblem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/problems/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readProblem"];
        put: operations["updateProblem"];
        post?: never;
        delete: operations["deleteProblem"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/problem_description/{id}/tests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readProblemTests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/problems/{problem_id}/toggle-visibility": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["toggleProblemVisibility"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/problem_description/{id}/test_cases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readTestManifest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/problem_description/{id}/test_cases/{test_case_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readTestCase"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/problem_description/{id}/test_cases/{test_case_id}/input": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readTestInput"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/problem_description/{id}/test_cases/{test_case_id}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readTestAnswer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/problems/{problem_id}/test_cases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["appendTestCases"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/problems/{problem_id}/test_cases/{test_case_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["updateTestCase"];
        post?: never;
        delete: operations["deleteTestCase"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listCategories"];
        put?: never;
        post: operations["createCategory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/categories/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listProblemCategories"];
        put?: never;
        post?: never;
        delete: operations["deleteCategory"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/problem_packages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["importProblemPackage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/problem_packages/{problem_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportProblemPackage"];
        put: operations["replaceProblemPackage"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/problems/{problem_id}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listProblemFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/problems/{problem_id}/files/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readProblemFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/problem_packages/{problem_id}/verifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/problem_packages/{problem_id}/verifications/{verification_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readVerification"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/submissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createSubmission"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/submissions/{submission_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readSubmission"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["storeVerdict"];
        trace?: never;
    };
    "/v1/submissions/{submission_id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readSubmissionStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/submissions/{submission_id}/verdicts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listVerdicts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/submissions/{submission_id}/judgings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listJudgings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/submissions/{submission_id}/heartbeat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["renewJudging"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/user_submissions/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listUserSubmissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/user_problem_submissions/{user_id}/{problem_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listUserProblemSubmissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/rejudge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rejudge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/rejudgings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listRejudgings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/rejudgings/{rejudging_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readRejudging"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rejudgings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listRejudgingDecisions"];
        put?: never;
        post: operations["createRejudgingDecision"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rejudgings/{decision_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readRejudgingDecision"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rejudgings/{decision_id}/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["applyRejudgingDecision"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rejudgings/{decision_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["cancelRejudgingDecision"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/shadow_judgings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createShadowJudging"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/shadow_judgings/{shadow_judging_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteShadowJudging"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/input_submissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/input_submissions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["storeRunVerdict"];
        trace?: never;
    };
    "/v1/public/input_submissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createPublicRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/input_submissions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readPublicRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bench/input_submissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createBenchRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bench/input_submissions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readBenchRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/languages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listLanguages"];
        put?: never;
        post: operations["createLanguage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/languages/{language_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteLanguage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/judges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listJudges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/judges/{judge_name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["registerJudge"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPublicEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/events/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readPublicEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listEvents"];
        put?: never;
        post: operations["createEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readEvent"];
        put: operations["updateEvent"];
        post?: never;
        delete: operations["deleteEvent"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/event_details": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readEventByTitle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["endEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/events/{event_id}/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["registerForEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/events/{event_id}/participants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPublicParticipants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/participants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listParticipants"];
        put?: never;
        post: operations["addParticipant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/participants/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["changeParticipant"];
        post?: never;
        delete: operations["removeParticipant"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readEventClock"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/problems": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listEventProblems"];
        put?: never;
        post: operations["addEventProblem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/problems/{event_problem_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readEventProblem"];
        put: operations["updateEventProblem"];
        post?: never;
        delete: operations["removeEventProblem"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/submissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listEventSubmissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/standings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readStandings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/standings.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readStandingsCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/thaw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["thawStandings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/user_problem_status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listProblemStatuses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/problems_stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listProblemStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/scoreboard_tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listScoreboardTokens"];
        put?: never;
        post: operations["createScoreboardToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/scoreboard_tokens/{scoreboard_token_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteScoreboardToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/scoreboard/{event_id}/standings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readScoreboardStandings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/scoreboard/{event_id}/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readScoreboardClock"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/teams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTeams"];
        put?: never;
        post: operations["createTeam"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/teams/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readOwnTeam"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/teams/{team_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readTeam"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/teams/{team_id}/join": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["joinTeam"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/questions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listQuestions"];
        put?: never;
        post: operations["askQuestion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/questions/{question_id}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["answerQuestion"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/announcements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["announce"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/user/notifications/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["countUnreadNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/user/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/user/notifications/mark-read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["markNotificationsRead"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{event_id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["streamEventChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/user/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["streamUserChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/scoreboard/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["openScoreboardPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contest/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["openContestPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pages/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readPageFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AddedEventProblem: {
            id: number;
            event_id: number;
            problem_id: number;
            hidden: boolean;
        };
        AddedTestCases: {
            ids: string[];
        };
        AnnouncementBody: {
            announcement: string;
            problem_id?: number | null;
        };
        AnonymousRunBody: {
            language_id: string;
            source_code: string;
            stdin: string;
        };
        AnswerBody: {
            answer: string;
            public?: boolean | null;
        };
        AttemptStat: {
            user_id: string;
            problem_id: number;
            attempts: number;
            total_attempts: number;
            first_accepted_time?: string;
            minutes_to_solve?: number;
        };
        BridgeBody: {
            id: string;
            name: string;
            email: string;
            image?: string | null;
        };
        BridgeSession: {
            token: string;
            id: string;
            name: string;
            email: string;
        };
        BriefEventProblem: {
            id: number;
            event_id: number;
            problem_id: number;
            hidden: boolean;
            problem: components["schemas"]["BriefProblem"];
            label?: string;
            color?: string;
            position?: number;
        };
        BriefProblem: {
            id: number;
            title: string;
            prompt: "";
            difficulty: components["schemas"]["Difficulty"];
            upload_date: string;
            updated_at: string;
        };
        Category: {
            id: string;
            name: string;
        };
        CategoryBody: {
            name: string;
        };
        ChangedCell: {
            user?: components["schemas"]["RankedUser"];
            team?: components["schemas"]["RankedTeam"];
            problem_id: number;
        };
        ClicsAccess: {
            capabilities: ("contest_start" | "contest_thaw" | "team_submit" | "post_clar" | "admin_clar")[];
            endpoints: {
                type: "contest" | "judgement-types" | "languages" | "problems" | "groups" | "organizations" | "teams" | "persons" | "accounts" | "state" | "submissions" | "judgements" | "runs" | "clarifications" | "awards";
                properties: string[];
            }[];
        };
        ClicsAccount: {
            id: string;
            username: string;
            name?: string;
            type: "team" | "judge" | "admin" | "staff" | "other";
            team_id?: string;
            person_id?: string;
        };
        ClicsApiInformation: {
            version: "2026-01";
            version_url: string;
            provider: {
                name: string;
                version: string;
            };
        };
        ClicsAward: {
            id: string;
            citation: string;
            team_ids: string[];
        };
        ClicsClarification: {
            id: string;
            from_team_id?: string;
            to_team_ids?: string[];
            reply_to_id?: string;
            problem_id?: string;
            text: string;
            time: string;
            contest_time: string;
        };
        ClicsClarificationBody: {
            id?: null;
            text: string;
            problem_id?: string | null;
            from_team_id?: string | null;
            reply_to_id?: string | null;
            to_team_ids?: string[] | null;
            to_group_ids?: string[] | null;
            time?: string | null;
            contest_time?: string | null;
        };
        ClicsContest: {
            id: string;
            name: string;
            start_time?: string;
            duration: string;
            scoreboard_freeze_duration?: string;
            scoreboard_thaw_time?: string;
            scoreboard_type: "pass-fail" | "score";
            main_scoreboard_group_id: string;
            penalty_time: string;
        };
        ClicsContestChange: {
            id: string;
            start_time?: string | null;
            countdown_pause_time?: string | null;
            scoreboard_thaw_time?: string;
        };
        ClicsFile: {
            href: string;
            filename: string;
            mime: string;
        };
        ClicsGroup: {
            id: string;
            name: string;
        };
        ClicsJudgement: {
            id: string;
            submission_id: string;
            judgement_type_id: string;
            score?: number;
            current: boolean;
            start_time: string;
            start_contest_time: string;
            end_time: string;
            end_contest_time: string;
            max_run_time?: number;
        };
        ClicsJudgementType: {
            id: string;
            name: string;
            penalty: boolean;
            solved: boolean;
        };
        ClicsLanguage: {
            id: string;
            name: string;
            entry_point_required: boolean;
            extensions: string[];
        };
        ClicsOrganization: {
            id: string;
            name: string;
        };
        ClicsPerson: {
            id: string;
            team_ids?: string[];
            name: string;
            email?: string;
            role: "contestant" | "staff" | "other";
        };
        ClicsProblem: {
            id: string;
            uuid?: string;
            label: string;
            name: string;
            ordinal: number;
            rgb?: string;
            color?: string;
            time_limit?: number;
            memory_limit?: number;
            output_limit?: number;
            code_limit?: number;
            test_data_count?: number;
            max_score?: number;
            package?: components["schemas"]["ClicsFile"][];
            statement?: components["schemas"]["ClicsFile"][];
            attachments?: components["schemas"]["ClicsFile"][];
        };
        ClicsRun: {
            id: string;
            judgement_id: string;
            ordinal: number;
            judgement_type_id: string;
            time: string;
            contest_time: string;
            run_time?: number;
        };
        ClicsScoreboard: {
            time: string;
            contest_time: string;
            state: components["schemas"]["ClicsState"];
            rows: components["schemas"]["ClicsScoreboardRow"][];
        };
        ClicsScoreboardProblem: {
            problem_id: string;
            num_judged: number;
            num_pending: number;
            solved?: boolean;
            score?: number;
            time?: string;
        };
        ClicsScoreboardRow: {
            rank: number;
            team_id: string;
            score: {
                num_solved?: number;
                total_time?: string;
                score?: number;
                time?: string;
            };
            problems: components["schemas"]["ClicsScoreboardProblem"][];
        };
        ClicsState: {
            started?: string;
            frozen?: string;
            ended?: string;
            thawed?: string;
        };
        ClicsSubmission: {
            id: string;
            language_id: string;
            problem_id: string;
            team_id?: string;
            account_id?: string;
            time: string;
            contest_time: string;
            files?: components["schemas"]["ClicsFile"][];
        };
        ClicsSubmissionBody: {
            id?: null;
            time?: null;
            contest_time?: null;
            problem_id: string;
            language_id: string;
            team_id?: string | null;
            account_id?: string | null;
            entry_point?: string | null;
            files: {
                data: string;
                mime?: "application/zip" | null;
                filename?: string | null;
            }[];
        };
        ClicsTeam: {
            id: string;
            name: string;
            label: string;
            group_ids: string[];
        };
        ContestApiError: {
            code: number;
            message: string;
        };
        CreatedRejudgingDecision: {
            id: string;
        };
        CreatedScoreboardToken: {
            id: string;
            event_id: number;
            label?: string;
            created_by: string;
            created_at: string;
            token: string;
        };
        CreatedSubmission: {
            id: string;
            user_id: string;
            problem_id: number;
            language_id: string;
            source_code: string;
            status: string;
            submit_time: string;
            time_elapsed: number;
            event_id?: number;
        };
        CreatedTeam: {
            message: string;
            team_id: string;
        };
        Difficulty: "VERY EASY" | "EASY" | "MEDIUM" | "HARD" | "VERY HARD";
        ErrorCode: "400" | "USER_EXISTS" | "UNAUTHORIZED" | "INVALID_CREDENTIALS" | "MALFORMED_TOKEN" | "TOKEN_EXPIRED" | "ACCOUNT_DELETED" | "INVALID_RESET_TOKEN" | "FORBIDDEN" | "LAST_ADMIN" | "EVENT_NOT_ACTIVE" | "EVENT_NOT_STARTED" | "NOT_A_PARTICIPANT" | "REGISTRATION_DISABLED" | "NOT_FOUND" | "NOT_A_TEAM_EVENT" | "ALREADY_REGISTERED" | "ALREADY_IN_EVENT" | "ALREADY_ON_TEAM" | "PROBLEM_HAS_SUBMISSIONS" | "TEAM_NAME_TAKEN" | "CATEGORY_EXISTS" | "IDEMPOTENCY_KEY_REUSED" | "ID_MISMATCH" | "TESTS_TOO_LARGE" | "WORKER_TOO_OLD" | "JUDGING_ENDED" | "EVENT_NOT_ENDED" | "NOT_FROZEN" | "NOTHING_REVEALED" | "REJUDGING_PENDING" | "REJUDGING_DECIDED" | "PAYLOAD_TOO_LARGE" | "RATE_LIMIT_EXCEEDED" | "INTERNAL" | "UNAVAILABLE";
        ErrorResponse: {
            error: string;
            code: components["schemas"]["ErrorCode"];
            message: string;
            hint?: string;
            request_id?: string;
        };
        EventBody: {
            title: string;
            description?: string;
            start_time: string;
            end_time: string;
            teams?: boolean;
            user_id?: string;
            problems?: {
                problem_id: number;
                accept_timeout?: number;
                execution_timeout?: number;
                memory_limit?: number;
                hidden?: boolean;
                label?: string;
                color?: string;
                position?: number;
            }[];
            languages?: (number | string)[];
            freeze_time?: string | null;
            penalty_minutes?: number | null;
            admission?: ("open" | "invited") | null;
            scoreboard?: ("participants" | "users" | "public") | null;
            clarifications?: ("any" | "staff") | null;
            enforce_languages?: boolean | null;
            scoring?: ("icpc" | "points") | null;
            medals?: {
                gold: number;
                silver: number;
                bronze: number;
            } | null;
            staff?: string[] | null;
        };
        EventClock: {
            event_id: number;
            now: string;
            start_time: string;
            freeze_time?: string;
            end_time: string;
            own_end_time: string;
            state: "scheduled" | "running" | "frozen" | "ended";
            extra_time?: true;
        };
        EventProblem: components["schemas"]["ShownEventProblem"] | components["schemas"]["BriefEventProblem"];
        EventProblemBody: {
            problem_id: number;
            label?: string | null;
            color?: string | null;
            position?: number | null;
            accept_timeout?: number | null;
            execution_timeout?: number | null;
            memory_limit?: number | null;
            hidden?: boolean;
        };
        EventProblemUpdateBody: {
            label?: string | null;
            color?: string | null;
            position?: number | null;
            accept_timeout?: number | null;
            execution_timeout?: number | null;
            memory_limit?: number | null;
            hidden?: boolean;
        };
        EventSubmission: components["schemas"]["ListedSubmission"] | components["schemas"]["RedactedSubmission"];
        EventSummary: {
            id: number;
            user_id: string;
            title: string;
            description: string;
            start_time: string;
            end_time: string;
            teams: boolean;
            languages: (number | string)[];
            problem_count: number;
            participant_count: number;
            participants: components["schemas"]["User"][];
            problems: {
                id: number;
            }[];
            freeze_time?: string;
            thawed_at?: string;
            penalty_minutes?: number;
            admission?: "open" | "invited";
            scoreboard?: "participants" | "users" | "public";
            clarifications?: "any" | "staff";
            enforce_languages?: boolean;
            scoring?: "icpc" | "points";
            medals?: components["schemas"]["Medals"];
            staff?: string[];
        };
        EventUpdateBody: {
            title?: string;
            description?: string;
            start_time?: string;
            end_time?: string;
            teams?: boolean;
            languages?: (number | string)[] | null;
            freeze_time?: string | null;
            penalty_minutes?: number | null;
            admission?: ("open" | "invited") | null;
            scoreboard?: ("participants" | "users" | "public") | null;
            clarifications?: ("any" | "staff") | null;
            enforce_languages?: boolean | null;
            scoring?: ("icpc" | "points") | null;
            medals?: {
                gold: number;
                silver: number;
                bronze: number;
            } | null;
            staff?: string[] | null;
        };
        FullEvent: {
            id: number;
            user_id: string;
            title: string;
            description: string;
            start_time: string;
            end_time: string;
            teams: boolean;
            languages: (number | string)[];
            problem_count: number;
            participant_count: number;
            participants: components["schemas"]["User"][];
            problems: components["schemas"]["FullEventProblem"][];
            freeze_time?: string;
            thawed_at?: string;
            penalty_minutes?: number;
            admission?: "open" | "invited";
            scoreboard?: "participants" | "users" | "public";
            clarifications?: "any" | "staff";
            enforce_languages?: boolean;
            scoring?: "icpc" | "points";
            medals?: components["schemas"]["Medals"];
            staff?: string[];
        };
        FullEventProblem: {
            id: number;
            event_id: number;
            problem_id: number;
            hidden: boolean;
            accept_timeout: number;
            execution_timeout: number;
            memory_limit: number;
            problem: components["schemas"]["Problem"];
            label?: string;
            color?: string;
            position?: number;
        };
        FullProblem: {
            id: number;
            user_id: string;
            title: string;
            identifier: string;
            prompt: string;
            source: string;
            difficulty: components["schemas"]["Difficulty"];
            public: boolean;
            upload_date: string;
            updated_at: string;
            timeout?: number;
            accept_timeout: number;
            execution_timeout: number;
            memory_limit: number;
            categories: components["schemas"]["Category"][];
            test_cases: components["schemas"]["TestCase"][];
            validation?: components["schemas"]["Validation"];
            test_groups?: components["schemas"]["TestGroup"][];
            max_score?: number;
            run?: "all" | "first_failure";
            limits?: components["schemas"]["JudgingLimits"];
            timeout_is_provisional?: boolean;
        };
        HeartbeatBody: {
            judging: number;
        };
        ImportedPackage: {
            problem_id: number;
            imported: components["schemas"]["ImportedParts"];
            warnings: components["schemas"]["PackageWarning"][];
        };
        ImportedParts: {
            test_cases: number;
            statements: number;
            files: number;
            submissions: number;
            validators: number;
            categories: number;
        };
        ImportedUser: {
            email: string;
            id?: string;
            outcome: "created" | "exists" | "refused";
            password?: string;
            error?: string;
        };
        JoinBody: {
            user_id?: string | null;
        };
        Judge: {
            name: string;
            version?: string;
            connected: boolean;
            concurrency: number;
            languages: components["schemas"]["JudgeLanguage"][];
            judging: components["schemas"]["JudgedNow"][];
            first_seen_at: string;
            started_at: string;
            last_seen_at: string;
            failure?: string;
        };
        JudgeBody: {
            languages: {
                name: string;
                version: string;
                aliases?: string[] | null;
            }[];
            concurrency: number;
            version?: string | null;
            judging?: {
                id: string;
                seconds: number;
            }[] | null;
            started?: boolean | null;
            stopped?: boolean | null;
        };
        JudgeLanguage: {
            name: string;
            version: string;
        };
        JudgeSession: {
            token: string;
        };
        JudgedNow: {
            kind: "submission" | "run" | "shadow";
            id: string;
            since: string;
        };
        JudgedTestCase: {
            test_case_id: string;
            status?: string;
            passed: boolean;
            time_elapsed?: number;
            memory_used?: number;
            team_message?: string;
            score?: number;
            judge_message?: string;
            transcript?: string;
        };
        Judging: {
            judging: number;
            attempt: number;
            status: string;
            time_elapsed: number;
            stdout: string;
            stderr: string;
            failed_test_case_id: string | null;
            memory_used?: number;
            score?: number;
            judged_at?: string;
            worker?: string;
            judge_message?: string;
            test_case_results: components["schemas"]["JudgedTestCase"][];
        };
        JudgingLimits: {
            output?: number;
            compilation_time?: number;
            compilation_memory?: number;
            validation_time?: number;
            validation_memory?: number;
            validation_output?: number;
            time_multipliers?: {
                [key: string]: number;
            };
        };
        JudgingLimitsBody: {
            output?: number;
            compilation_time?: number;
            compilation_memory?: number;
            validation_time?: number;
            validation_memory?: number;
            validation_output?: number;
            time_multipliers?: {
                [key: string]: number;
            };
        };
        Language: {
            id: string;
            name: string;
            extension: string;
            version: string;
        };
        LanguageBody: {
            name: string;
            extension: string;
            version: string;
        };
        ListedLanguage: {
            id: string;
            name: string;
            extension: string;
            version: string;
            available?: boolean;
        };
        ListedRejudgingDecision: {
            id: string;
            state: "OPEN" | "APPLIED" | "CANCELLED";
            reason?: string;
            requested_by: string;
            requested_at: string;
            decided_by?: string;
            decided_at?: string;
            event_id?: number;
            problem_id?: number;
            language_id?: string;
            status?: string;
            user_id?: string;
            total: number;
            waiting: number;
            deleted: number;
            applied?: number;
            unchanged?: number;
            left_out?: number;
            judged?: number;
            pending?: number;
        };
        ListedSubmission: {
            id: string;
            user_id: string;
            problem_id: number;
            language_id: string;
            source_code: string;
            status: string;
            submit_time: string;
            time_elapsed: number;
            event_id?: number;
            stdout: string;
            stderr: string;
            failed_test_case_id: string | null;
            user: components["schemas"]["User"];
            problem: {
                id: number;
                title: string;
                identifier: string;
                difficulty: components["schemas"]["Difficulty"];
                updated_at: string;
                accept_timeout: number;
                execution_timeout: number;
                memory_limit: number;
            };
            language: components["schemas"]["Language"];
            memory_used?: number;
            score?: number;
            max_score?: number;
        };
        ListedTeam: {
            id: string;
            event_id: number;
            name: string;
        };
        LoginBody: {
            email: string;
            password: string;
        };
        Medals: {
            gold: number;
            silver: number;
            bronze: number;
        };
        Message: {
            message: string;
        };
        NamedTestCase: {
            id: string;
            problem_id: number;
            input: string;
            expected_output: string;
            hidden: boolean;
            name?: string;
            hint?: string;
            description?: string;
        };
        PackageWarning: {
            file: string;
            line?: number;
            message: string;
            problem_id?: number;
        };
        Participant: {
            id: string;
            name: string;
            email: string;
            image: string;
            is_admin: boolean;
            join_date: string;
            extra_minutes?: number;
            hidden?: true;
        };
        ParticipantBody: {
            user_id: string;
        };
        ParticipantUpdateBody: {
            extra_minutes?: number | null;
            hidden?: boolean;
        };
        PasswordBody: {
            password: string;
            current_password?: string;
        };
        PasswordReset: {
            status: "ok";
        };
        PasswordResetRequested: {
            status: "ok";
            token?: string;
        };
        Problem: {
            id: number;
            user_id: string;
            title: string;
            identifier: string;
            prompt: string;
            source: string;
            difficulty: components["schemas"]["Difficulty"];
            public: boolean;
            upload_date: string;
            updated_at: string;
            timeout?: number;
            accept_timeout: number;
            execution_timeout: number;
            memory_limit: number;
            categories: components["schemas"]["Category"][];
            test_cases: components["schemas"]["TestCase"][];
        };
        ProblemBody: {
            title: string;
            identifier: string;
            prompt: string;
            difficulty: components["schemas"]["Difficulty"];
            test_cases: {
                id?: string;
                input: string;
                expected_output: string;
                hidden?: boolean;
            }[];
            source?: string;
            public?: boolean;
            timeout?: number;
            accept_timeout?: number;
            execution_timeout?: number;
            memory_limit?: number;
            user_id?: string;
            category_ids?: string[];
            validation?: components["schemas"]["ValidationBody"] | null;
            test_groups?: components["schemas"]["TestGroupBody"][] | null;
            run?: ("all" | "first_failure") | null;
            limits?: components["schemas"]["JudgingLimitsBody"] | null;
        };
        ProblemFile: {
            name: string;
            path: string;
            bytes: number;
            type: string;
        };
        ProblemStats: {
            problem_id: number;
            accepted_count: number;
            attempted_count: number;
        };
        ProblemStatus: {
            problem_id: number;
            status: string;
            submit_time: string;
        };
        ProblemSummary: {
            id: number;
            user_id: string;
            title: string;
            identifier: string;
            prompt: string;
            source: string;
            difficulty: components["schemas"]["Difficulty"];
            public: boolean;
            upload_date: string;
            updated_at: string;
            timeout?: number;
            accept_timeout: number;
            execution_timeout: number;
            memory_limit: number;
            categories: components["schemas"]["Category"][];
        };
        ProblemTests: {
            problem_id: number;
            accept_timeout: number;
            execution_timeout: number;
            memory_limit: number;
            validation?: components["schemas"]["Validation"];
            test_groups?: components["schemas"]["TestGroup"][];
            max_score?: number;
            run?: "all" | "first_failure";
            limits?: components["schemas"]["JudgingLimits"];
            test_cases: components["schemas"]["NamedTestCase"][];
        };
        ProblemUpdateBody: {
            title?: string;
            identifier?: string;
            prompt?: string;
            source?: string;
            difficulty?: components["schemas"]["Difficulty"];
            public?: boolean;
            timeout?: number;
            accept_timeout?: number;
            execution_timeout?: number;
            memory_limit?: number;
            user_id?: string;
            category_ids?: string[];
            test_cases?: {
                id?: string;
                input: string;
                expected_output: string;
                hidden?: boolean;
            }[];
            validation?: components["schemas"]["ValidationBody"] | null;
            test_groups?: components["schemas"]["TestGroupBody"][] | null;
            run?: ("all" | "first_failure") | null;
            limits?: components["schemas"]["JudgingLimitsBody"] | null;
        };
        ProgramFiles: {
            files: {
                name: string;
                content: string;
            }[];
            sources: string[];
            main_class?: string;
        };
        PublicEvent: {
            id: number;
            user_id: string;
            title: string;
            description: string;
            start_time: string;
            end_time: string;
            teams: boolean;
            languages: (number | string)[];
            problem_count: number;
            participant_count: number;
            participants: components["schemas"]["User"][];
            problems: {
                id: number;
            }[];
            freeze_time?: string;
            thawed_at?: string;
            penalty_minutes?: number;
            admission?: "open" | "invited";
            scoreboard?: "participants" | "users" | "public";
            clarifications?: "any" | "staff";
            enforce_languages?: boolean;
            scoring?: "icpc" | "points";
            medals?: components["schemas"]["Medals"];
            staff?: string[];
        };
        Question: {
            id: string;
            event_id: number;
            user_id: string;
            problem_id?: number;
            question: string;
            is_answered: boolean;
            created_at: string;
            updated_at: string;
            answer?: string;
            answered_at?: string;
            answered_by?: string;
            user: components["schemas"]["User"];
            problem?: {
                id: number;
                title: string;
                identifier: string;
                difficulty: components["schemas"]["Difficulty"];
                updated_at: string;
            };
            answerer?: components["schemas"]["User"];
            is_public?: boolean;
            is_announcement?: true;
        };
        QuestionBody: {
            question: string;
            problem_id?: number | null;
        };
        RankedTeam: {
            id: string;
            name: string;
        };
        RankedUser: {
            id: string;
            name: string;
        };
        RedactedSubmission: {
            id: string;
            user_id: string;
            problem_id: number;
            language_id: string;
            status: string;
            submit_time: string;
            time_elapsed: number;
            event_id?: number;
            failed_test_case_id: string | null;
            user: components["schemas"]["User"];
            problem: {
                id: number;
                title: string;
                identifier: string;
                difficulty: components["schemas"]["Difficulty"];
                updated_at: string;
                accept_timeout: number;
                execution_timeout: number;
                memory_limit: number;
            };
            language: components["schemas"]["Language"];
        };
        RegistrationBody: {
            name: string;
            email: string;
            password: string;
            image?: string | null;
        };
        RejudgeBody: {
            submission_id?: string | null;
            problem_id?: number | null;
            event_id?: number | null;
            language_id?: string | null;
            user_id?: string | null;
        };
        Rejudging: {
            id: string;
            status: "QUEUEING" | "QUEUED";
            total: number;
            count: number;
            skipped: number;
            requested_by: string;
            requested_at: string;
            finished_at?: string;
            submission_id?: string;
            problem_id?: number;
            event_id?: number;
            language_id?: string;
            user_id?: string;
        };
        RejudgingChange: {
            submission_id: string;
            user_id: string;
            problem_id: number;
            event_id?: number;
            shadow_judging_id: string;
            from_status: string;
            from_score?: number;
            to_status: string;
            to_score?: number;
        };
        RejudgingDecision: {
            id: string;
            state: "OPEN" | "APPLIED" | "CANCELLED";
            reason?: string;
            requested_by: string;
            requested_at: string;
            decided_by?: string;
            decided_at?: string;
            event_id?: number;
            problem_id?: number;
            language_id?: string;
            status?: string;
            user_id?: string;
            total: number;
            waiting: number;
            deleted: number;
            applied?: number;
            unchanged?: number;
            left_out?: number;
            submission_ids?: string[];
            judged: number;
            pending: number;
            changed?: number;
            changes: components["schemas"]["RejudgingChange"][];
            left_out_submissions: components["schemas"]["RejudgingLeftOut"][];
            rank_changes?: components["schemas"]["RejudgingRankChange"][];
            pending_judgings?: components["schemas"]["RejudgingPending"][];
        };
        RejudgingDecisionBody: {
            event_id?: number | null;
            problem_id?: number | null;
            language_id?: string | null;
            status?: ("ACCEPTED" | "WRONG_ANSWER" | "PRESENTATION_ERROR" | "TIME_LIMIT_EXCEEDED" | "MEMORY_LIMIT_EXCEEDED" | "OUTPUT_LIMIT_EXCEEDED" | "RUNTIME_ERROR" | "COMPILE_TIME_ERROR" | "INTERNAL_ERROR") | null;
            user_id?: string | null;
            submission_ids?: string[] | null;
            reason?: string | null;
        };
        RejudgingLeftOut: {
            submission_id: string;
            why: "JUDGED_AGAIN" | "INTERNAL_ERROR" | "JUDGING_DELETED";
        };
        RejudgingPending: {
            submission_id: string;
            shadow_judging_id: string;
        };
        RejudgingRankChange: {
            event_id: number;
            user_id?: string;
            team_id?: string;
            from_rank: number;
            to_rank: number;
        };
        ResetBody: {
            email: string;
            token?: string;
            new_password: string;
        };
        ResetRequestBody: {
            email: string;
        };
        Run: {
            status: string;
            finished: boolean;
            stdout?: string;
            stderr?: string;
            runtime?: number;
        };
        RunBody: {
            user_id?: string | null;
            language_id: string;
            source_code: string;
            stdin: string;
        };
        RunForJudges: {
            status: string;
            finished: boolean;
            stdout?: string;
            stderr?: string;
            runtime?: number;
            id: string;
            language_id: string;
            language: components["schemas"]["Language"];
            source_code: string;
            stdin: string;
            judging: number;
            attempt: number;
        };
        RunVerdictBody: {
            status: "ACCEPTED" | "WRONG_ANSWER" | "PRESENTATION_ERROR" | "TIME_LIMIT_EXCEEDED" | "MEMORY_LIMIT_EXCEEDED" | "OUTPUT_LIMIT_EXCEEDED" | "RUNTIME_ERROR" | "COMPILE_TIME_ERROR" | "INTERNAL_ERROR";
            stdout?: string | null;
            stderr?: string | null;
            runtime?: number | null;
            judging?: number | null;
            attempt?: number | null;
        };
        ScoreboardClock: {
            event_id: number;
            title: string;
            teams: boolean;
            now: string;
            start_time: string;
            freeze_time?: string;
            end_time: string;
            state: "scheduled" | "running" | "frozen" | "ended";
            extra_time?: true;
        };
        ScoreboardToken: {
            id: string;
            event_id: number;
            label?: string;
            created_by: string;
            created_at: string;
        };
        ScoreboardTokenBody: {
            label?: string | null;
        };
        Service: {
            status: string;
            service: string;
            health: string;
            api: string;
        };
        ServiceStatus: {
            status: string;
        };
        Session: {
            token: string;
            id: string;
            name: string;
            email: string;
            image: string;
        };
        ShadowJudging: {
            id: string;
            submission_id?: string;
            problem_id: number;
            language_id: string;
            status: string;
            submit_time: string;
        };
        ShadowJudgingBody: {
            submission_id?: string | null;
            problem_id?: number | null;
            language_id?: string | null;
            source_code?: string | null;
        };
        ShownEventProblem: {
            id: number;
            event_id: number;
            problem_id: number;
            hidden: boolean;
            accept_timeout: number;
            execution_timeout: number;
            memory_limit: number;
            problem: components["schemas"]["ProblemSummary"];
            label?: string;
            color?: string;
            position?: number;
        };
        Standings: {
            event_id: number;
            state: "scheduled" | "running" | "frozen" | "ended";
            at: string;
            problems: components["schemas"]["StandingsProblem"][];
            rows: components["schemas"]["StandingsRow"][];
        };
        StandingsCell: {
            problem_id: number;
            tries: number;
            pending: number;
            minutes?: number;
            score?: number;
            first?: true;
        };
        StandingsProblem: {
            problem_id: number;
            label: string;
            color?: string;
        };
        StandingsRow: {
            rank: number;
            user?: components["schemas"]["RankedUser"];
            team?: components["schemas"]["RankedTeam"];
            solved: number;
            points?: number;
            penalty: number;
            last_accepted?: string;
            cells: components["schemas"]["StandingsCell"][];
        };
        Submission: {
            id: string;
            user_id: string;
            problem_id: number;
            language_id: string;
            source_code: string;
            status: string;
            submit_time: string;
            time_elapsed: number;
            event_id?: number;
            stdout: string;
            stderr: string;
            failed_test_case_id: string | null;
            user: components["schemas"]["User"];
            problem: {
                id: number;
                title: string;
                identifier: string;
                difficulty: components["schemas"]["Difficulty"];
                updated_at: string;
                accept_timeout: number;
                execution_timeout: number;
                memory_limit: number;
            };
            language: components["schemas"]["Language"];
            memory_used?: number;
            score?: number;
            max_score?: number;
            test_case_results?: components["schemas"]["TestCaseResult"][];
            judging?: number;
            attempt?: number;
            requeue_after?: number;
            run?: "all";
            program?: components["schemas"]["ProgramFiles"];
            validator?: components["schemas"]["TestCaseValidator"];
        };
        SubmissionBody: {
            user_id: string;
            problem_id: number;
            language_id: string;
            source_code: string;
            event_id?: number | null;
        };
        SubmissionStatus: {
            id: string;
            status: string;
        };
        Team: {
            id: string;
            event_id: number;
            name: string;
            members: components["schemas"]["User"][];
        };
        TeamBody: {
            name: string;
        };
        TestCase: {
            id: string;
            problem_id: number;
            input: string;
            expected_output: string;
            hidden: boolean;
        };
        TestCaseResult: {
            id: string;
            submission_id: string;
            test_case_id: string;
            stdout: string;
            stderr: string;
            passed: boolean;
            time_elapsed?: number;
            memory_used?: number;
            team_message?: string;
        };
        TestCaseSummary: {
            id: string;
            hidden: boolean;
            version: number;
            bytes: number;
            name?: string;
            hint?: string;
            description?: string;
        };
        TestCaseUpdateBody: {
            input?: string;
            expected_output?: string;
            hidden?: boolean;
        };
        TestCaseValidator: {
            type: "input" | "answer";
            files: {
                name: string;
                content: string;
            }[];
            language?: string;
            build?: string[];
            run?: string[];
            arguments: {
                [key: string]: string[];
            };
        };
        TestCasesBody: {
            test_cases: {
                input: string;
                expected_output: string;
                hidden?: boolean;
            }[];
        };
        TestGroup: {
            name: string;
            points: number;
            aggregation: "sum" | "min";
            cases?: number[];
            groups?: {
                name: string;
                points: number;
                aggregation: "sum" | "min";
                cases?: number[];
                groups?: {
                    name: string;
                    points: number;
                    aggregation: "sum" | "min";
                    cases?: number[];
                    groups?: {
                        name: string;
                        points: number;
                        aggregation: "sum" | "min";
                        cases?: number[];
                        groups?: {
                            name: string;
                            points: number;
                            aggregation: "sum" | "min";
                            cases?: number[];
                            groups?: {
                                name: string;
                                points: number;
                                aggregation: "sum" | "min";
                                cases?: number[];
                                groups?: {
                                    name: string;
                                    points: number;
                                    aggregation: "sum" | "min";
                                    cases?: number[];
                                    groups?: {
                                        name: string;
                                        points: number;
                                        aggregation: "sum" | "min";
                                        cases?: number[];
                                        groups?: unknown[];
                                    }[];
                                }[];
                            }[];
                        }[];
                    }[];
                }[];
            }[];
        };
        TestGroupBody: {
            name: string;
            points: number;
            aggregation: "sum" | "min";
            cases?: number[];
            groups?: {
                name: string;
                points: number;
                aggregation: "sum" | "min";
                cases?: number[];
                groups?: {
                    name: string;
                    points: number;
                    aggregation: "sum" | "min";
                    cases?: number[];
                    groups?: {
                        name: string;
                        points: number;
                        aggregation: "sum" | "min";
                        cases?: number[];
                        groups?: {
                            name: string;
                            points: number;
                            aggregation: "sum" | "min";
                            cases?: number[];
                            groups?: {
                                name: string;
                                points: number;
                                aggregation: "sum" | "min";
                                cases?: number[];
                                groups?: {
                                    name: string;
                                    points: number;
                                    aggregation: "sum" | "min";
                                    cases?: number[];
                                    groups?: {
                                        name: string;
                                        points: number;
                                        aggregation: "sum" | "min";
                                        cases?: number[];
                                        groups?: unknown[];
                                    }[];
                                }[];
                            }[];
                        }[];
                    }[];
                }[];
            }[];
        };
        TestManifest: {
            problem_id: number;
            accept_timeout: number;
            execution_timeout: number;
            memory_limit: number;
            validation?: components["schemas"]["Validation"];
            test_groups?: components["schemas"]["TestGroup"][];
            max_score?: number;
            run?: "all" | "first_failure";
            limits?: components["schemas"]["JudgingLimits"];
            test_cases: components["schemas"]["TestCaseSummary"][];
        };
        Thaw: {
            event_id: number;
            state: "scheduled" | "running" | "frozen" | "ended";
            steps_left: number;
            revealed?: components["schemas"]["ChangedCell"];
            hidden?: components["schemas"]["ChangedCell"];
        };
        UnreadCount: {
            count: number;
        };
        UpdatedEventProblem: {
            id: number;
            event_id: number;
            problem_id: number;
            hidden: boolean;
            accept_timeout: number;
            execution_timeout: number;
            memory_limit: number;
            label?: string;
            color?: string;
            position?: number;
        };
        User: {
            id: string;
            name: string;
            email: string;
            image: string;
            is_admin: boolean;
            join_date: string;
        };
        UserBody: {
            name: string;
            email: string;
            image?: string | null;
            is_admin?: boolean;
            password?: string;
        };
        UserImport: {
            users: components["schemas"]["ImportedUser"][];
        };
        UserImportBody: {
            users: {
                name: string;
                email: string;
                password?: string | null;
                team?: string | null;
            }[];
        };
        UserNotification: {
            id: string;
            user_id: string;
            event_id: number;
            question_id: string;
            notification_type: "question" | "answer";
            is_read: boolean;
            created_at: string;
            updated_at: string;
            question: components["schemas"]["Question"];
        };
        UserUpdateBody: {
            name?: string;
            image?: string | null;
            is_admin?: boolean;
        };
        Validation: {
            type: "default" | "custom" | "interactive";
            flags?: string;
            case_flags?: {
                cases: number[];
                flags: string;
            }[];
            protocol?: "testlib";
            files?: {
                name: string;
                content: string;
            }[];
            language?: string;
            build?: string[];
            run?: string[];
        };
        ValidationBody: {
            type: "default" | "custom" | "interactive";
            flags?: string;
            case_flags?: {
                cases: number[];
                flags: string;
            }[];
            protocol?: "testlib";
            files?: {
                name: string;
                content: string;
            }[];
            language?: string;
            build?: string[];
            run?: string[];
        };
        Verdict: {
            judging: number;
            attempt: number;
            status: string;
            time_elapsed: number;
            stdout: string;
            stderr: string;
            failed_test_case_id: string | null;
            memory_used?: number;
            score?: number;
            judged_at?: string;
            test_case_results: components["schemas"]["TestCaseResult"][];
        };
        VerdictBody: {
            status: "ACCEPTED" | "WRONG_ANSWER" | "PRESENTATION_ERROR" | "TIME_LIMIT_EXCEEDED" | "MEMORY_LIMIT_EXCEEDED" | "OUTPUT_LIMIT_EXCEEDED" | "RUNTIME_ERROR" | "COMPILE_TIME_ERROR" | "INTERNAL_ERROR";
            stdout?: string | null;
            stderr?: string | null;
            time_elapsed?: number | null;
            failed_test_case_id?: string | null;
            judging?: number | null;
            attempt?: number | null;
            memory_used?: number | null;
            score?: number | null;
            worker?: string | null;
            judge_message?: string | null;
            test_case_results?: {
                test_case_id: string;
                stdout?: string | null;
                stderr?: string | null;
                passed: boolean;
                status?: ("ACCEPTED" | "WRONG_ANSWER" | "PRESENTATION_ERROR" | "TIME_LIMIT_EXCEEDED" | "MEMORY_LIMIT_EXCEEDED" | "OUTPUT_LIMIT_EXCEEDED" | "RUNTIME_ERROR" | "COMPILE_TIME_ERROR" | "INTERNAL_ERROR") | null;
                time_elapsed?: number | null;
                memory_used?: number | null;
                score?: number | null;
                judge_message?: string | null;
                team_message?: string | null;
                transcript?: string | null;
            }[] | null;
        };
        Verification: {
            id: string;
            problem_id: number;
            status: "PENDING" | "DONE";
            created_at: string;
            agrees?: boolean;
            message?: string;
            outdated?: boolean;
            programs: components["schemas"]["VerifiedProgram"][];
            validators: components["schemas"]["VerifiedValidator"][];
            time_limit: components["schemas"]["VerifiedTimeLimit"];
        };
        VerifiedProgram: {
            path: string;
            language?: string;
            expected: string;
            status: string;
            score?: number;
            slowest_time?: number;
            agrees?: boolean;
            message?: string;
        };
        VerifiedTimeLimit: {
            seconds: number;
            provisional: boolean;
            computed?: number;
            slowest_accepted?: number;
            fastest_too_slow?: number;
            message?: string;
        };
        VerifiedValidator: {
            path: string;
            kind: "input" | "answer";
            status: "PENDING" | "ACCEPTED" | "REJECTED" | "INTERNAL_ERROR" | "NOT_RUN";
            agrees?: boolean;
            rejected: {
                test_case: string;
                message?: string;
            }[];
            message?: string;
        };
        VersionedTestCase: {
            id: string;
            problem_id: number;
            input: string;
            expected_output: string;
            hidden: boolean;
            version: number;
        };
        Webhook: {
            id: string;
            url: string;
            endpoints: ("contest" | "judgement-types" | "languages" | "problems" | "groups" | "organizations" | "teams" | "persons" | "accounts" | "state" | "submissions" | "judgements" | "runs" | "clarifications" | "awards" | "commentary")[];
            contest_ids: string[];
            active: boolean;
            last_success?: string;
            last_error?: string;
            last_error_time?: string;
            failing_since?: string;
        };
        WebhookBody: {
            url: string;
            token: string;
            endpoints?: ("contest" | "judgement-types" | "languages" | "problems" | "groups" | "organizations" | "teams" | "persons" | "accounts" | "state" | "submissions" | "judgements" | "runs" | "clarifications" | "awards" | "commentary")[] | null;
            contest_ids?: string[] | null;
        };
        WebhookChange: {
            active: boolean;
        };
        WrittenProblem: {
            id: number;
            event_problem_id: number;
        };
    };
    responses: {
        ContestApiRefusal400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ContestApiError"] & {
                    code?: 400;
                };
            };
        };
        ContestApiRefusal401UnauthorizedMalformedTokenTokenExpiredAccountDeletedInvalidCredentials: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ContestApiError"] & {
                    code?: 401;
                };
            };
        };
        ContestApiRefusal403Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ContestApiError"] & {
                    code?: 403;
                };
            };
        };
        ContestApiRefusal403ForbiddenNotAParticipantEventNotActive: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ContestApiError"] & {
                    code?: 403;
                };
            };
        };
        ContestApiRefusal403NotAParticipant: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ContestApiError"] & {
                    code?: 403;
                };
            };
        };
        ContestApiRefusal404NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ContestApiError"] & {
                    code?: 404;
                };
            };
        };
        ContestApiRefusal409IdMismatch: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ContestApiError"] & {
                    code?: 409;
                };
            };
        };
        ContestApiRefusal409IdempotencyKeyReused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ContestApiError"] & {
                    code?: 409;
                };
            };
        };
        ContestApiRefusal413PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ContestApiError"] & {
                    code?: 413;
                };
            };
        };
        ContestApiRefusal429RateLimitExceeded: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ContestApiError"] & {
                    code?: 429;
                };
            };
        };
        ContestApiRefusal500Internal: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ContestApiError"] & {
                    code?: 500;
                };
            };
        };
        ContestApiRefusal503Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ContestApiError"] & {
                    code?: 503;
                };
            };
        };
        Refusal400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "400";
                };
            };
        };
        Refusal400UserExists: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "400" | "USER_EXISTS";
                };
            };
        };
        Refusal401InvalidCredentials: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "INVALID_CREDENTIALS";
                };
            };
        };
        Refusal401InvalidResetToken: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "INVALID_RESET_TOKEN";
                };
            };
        };
        Refusal401Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "UNAUTHORIZED";
                };
            };
        };
        Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "UNAUTHORIZED" | "MALFORMED_TOKEN" | "TOKEN_EXPIRED" | "ACCOUNT_DELETED";
                };
            };
        };
        Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeletedInvalidCredentials: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "UNAUTHORIZED" | "MALFORMED_TOKEN" | "TOKEN_EXPIRED" | "ACCOUNT_DELETED" | "INVALID_CREDENTIALS";
                };
            };
        };
        Refusal403EventNotStarted: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "EVENT_NOT_STARTED";
                };
            };
        };
        Refusal403Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "FORBIDDEN";
                };
            };
        };
        Refusal403ForbiddenLastAdmin: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "FORBIDDEN" | "LAST_ADMIN";
                };
            };
        };
        Refusal403ForbiddenNotAParticipant: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "FORBIDDEN" | "NOT_A_PARTICIPANT";
                };
            };
        };
        Refusal403ForbiddenNotAParticipantEventNotActive: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "FORBIDDEN" | "NOT_A_PARTICIPANT" | "EVENT_NOT_ACTIVE";
                };
            };
        };
        Refusal403NotAParticipant: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "NOT_A_PARTICIPANT";
                };
            };
        };
        Refusal403RegistrationDisabled: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "REGISTRATION_DISABLED";
                };
            };
        };
        Refusal404NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "NOT_FOUND";
                };
            };
        };
        Refusal404NotFoundNotATeamEvent: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "NOT_FOUND" | "NOT_A_TEAM_EVENT";
                };
            };
        };
        Refusal409AlreadyInEvent: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "ALREADY_IN_EVENT";
                };
            };
        };
        Refusal409AlreadyOnTeam: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "ALREADY_ON_TEAM";
                };
            };
        };
        Refusal409AlreadyRegistered: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "ALREADY_REGISTERED";
                };
            };
        };
        Refusal409CategoryExists: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "CATEGORY_EXISTS";
                };
            };
        };
        Refusal409EventNotEndedNotFrozenNothingRevealed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "EVENT_NOT_ENDED" | "NOT_FROZEN" | "NOTHING_REVEALED";
                };
            };
        };
        Refusal409IdempotencyKeyReused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "IDEMPOTENCY_KEY_REUSED";
                };
            };
        };
        Refusal409JudgingEnded: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "JUDGING_ENDED";
                };
            };
        };
        Refusal409ProblemHasSubmissions: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "PROBLEM_HAS_SUBMISSIONS";
                };
            };
        };
        Refusal409RejudgingDecided: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "REJUDGING_DECIDED";
                };
            };
        };
        Refusal409RejudgingPendingRejudgingDecided: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "REJUDGING_PENDING" | "REJUDGING_DECIDED";
                };
            };
        };
        Refusal409TeamNameTakenAlreadyOnTeam: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "TEAM_NAME_TAKEN" | "ALREADY_ON_TEAM";
                };
            };
        };
        Refusal409UserExists: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "USER_EXISTS";
                };
            };
        };
        Refusal409WorkerTooOld: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "WORKER_TOO_OLD";
                };
            };
        };
        Refusal409WorkerTooOldTestsTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "WORKER_TOO_OLD" | "TESTS_TOO_LARGE";
                };
            };
        };
        Refusal413PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "PAYLOAD_TOO_LARGE";
                };
            };
        };
        Refusal429RateLimitExceeded: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "RATE_LIMIT_EXCEEDED";
                };
            };
        };
        Refusal500Internal: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "INTERNAL";
                };
            };
        };
        Refusal503Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] & {
                    code: "UNAVAILABLE";
                };
            };
        };
    };
    parameters: {
        "Idempotency-Key": string;
        "Judge-Capabilities": string;
        "If-None-Match": string;
        "Last-Event-ID": string;
    };
    requestBodies: never;
    headers: {
        "X-Request-Id": string;
        ETag: string;
        Link: string;
        ProgressLocation: string;
        "WWW-Authenticate": string;
        "Retry-After": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    describeService: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Service"];
                };
            };
            400: components["responses"]["Refusal400"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    checkHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceStatus"];
                };
            };
            400: components["responses"]["Refusal400"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    checkHealthy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceStatus"];
                };
            };
            400: components["responses"]["Refusal400"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    checkReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceStatus"];
                };
            };
            400: components["responses"]["Refusal400"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    register: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegistrationBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["Refusal400"];
            403: components["responses"]["Refusal403RegistrationDisabled"];
            409: components["responses"]["Refusal409UserExists"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            429: components["responses"]["Refusal429RateLimitExceeded"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    logIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401InvalidCredentials"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            429: components["responses"]["Refusal429RateLimitExceeded"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    createOrLogInUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BridgeBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BridgeSession"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401Unauthorized"];
            409: components["responses"]["Refusal409UserExists"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            429: components["responses"]["Refusal429RateLimitExceeded"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    logInJudge: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JudgeSession"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401Unauthorized"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            429: components["responses"]["Refusal429RateLimitExceeded"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    requestPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResetRequestBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasswordResetRequested"];
                };
            };
            400: components["responses"]["Refusal400"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            429: components["responses"]["Refusal429RateLimitExceeded"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResetBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasswordReset"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401InvalidResetToken"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            429: components["responses"]["Refusal429RateLimitExceeded"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
                username?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"][];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["Refusal400UserExists"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    readUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            404: components["responses"]["Refusal404NotFound"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserUpdateBody"];
            };
        };
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400UserExists"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403ForbiddenLastAdmin"];
            404: components["responses"]["Refusal404NotFound"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403ForbiddenLastAdmin"];
            404: components["responses"]["Refusal404NotFound"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            429: components["responses"]["Refusal429RateLimitExceeded"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    setPassword: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordBody"];
            };
        };
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeletedInvalidCredentials"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            429: components["responses"]["Refusal429RateLimitExceeded"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    importUsers: {
        parameters: {
            query?: {
                event_id?: number;
                partial?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserImportBody"];
                "text/csv": string;
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserImport"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    listProblems: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
                query?: string;
            };
            header?: {
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProblemSummary"][];
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    createProblem: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProblemBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenProblem"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    readProblem: {
        parameters: {
            query?: never;
            header?: {
                "Judge-Capabilities"?: components["parameters"]["Judge-Capabilities"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FullProblem"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409WorkerTooOldTestsTooLarge"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    updateProblem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProblemUpdateBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenProblem"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    deleteProblem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    readProblemTests: {
        parameters: {
            query?: never;
            header?: {
                "Judge-Capabilities"?: components["parameters"]["Judge-Capabilities"];
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProblemTests"];
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409WorkerTooOldTestsTooLarge"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    toggleProblemVisibility: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                problem_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProblemSummary"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    readTestManifest: {
        parameters: {
            query?: never;
            header?: {
                "Judge-Capabilities"?: components["parameters"]["Judge-Capabilities"];
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestManifest"];
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409WorkerTooOld"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    readTestCase: {
        parameters: {
            query?: never;
            header?: {
                "Judge-Capabilities"?: components["parameters"]["Judge-Capabilities"];
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                id: number;
                test_case_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionedTestCase"];
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409WorkerTooOld"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    readTestInput: {
        parameters: {
            query?: never;
            header?: {
                "Judge-Capabilities"?: components["parameters"]["Judge-Capabilities"];
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                id: number;
                test_case_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409WorkerTooOld"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    readTestAnswer: {
        parameters: {
            query?: never;
            header?: {
                "Judge-Capabilities"?: components["parameters"]["Judge-Capabilities"];
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                id: number;
                test_case_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409WorkerTooOld"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    appendTestCases: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                problem_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestCasesBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddedTestCases"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    updateTestCase: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                problem_id: number;
                test_case_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestCaseUpdateBody"];
            };
        };
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    deleteTestCase: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                problem_id: number;
                test_case_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    listCategories: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Category"][];
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    createCategory: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CategoryBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Category"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            409: components["responses"]["Refusal409CategoryExists"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    listProblemCategories: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Category"][];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            404: components["responses"]["Refusal404NotFound"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    deleteCategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    importProblemPackage: {
        parameters: {
            query?: {
                difficulty?: components["schemas"]["Difficulty"];
                public?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/zip": string;
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportedPackage"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    exportProblemPackage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                problem_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    replaceProblemPackage: {
        parameters: {
            query?: {
                difficulty?: components["schemas"]["Difficulty"];
                public?: "true" | "false";
            };
            header?: never;
            path: {
                problem_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/zip": string;
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportedPackage"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    listProblemFiles: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: never;
            path: {
                problem_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProblemFile"][];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            404: components["responses"]["Refusal404NotFound"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    readProblemFile: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                problem_id: number;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            404: components["responses"]["Refusal404NotFound"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    createVerification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                problem_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Verification"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    readVerification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                problem_id: number;
                verification_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Verification"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    createSubmission: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubmissionBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedSubmission"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403ForbiddenNotAParticipantEventNotActive"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409IdempotencyKeyReused"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            429: components["responses"]["Refusal429RateLimitExceeded"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    readSubmission: {
        parameters: {
            query?: never;
            header?: {
                "Judge-Capabilities"?: components["parameters"]["Judge-Capabilities"];
            };
            path: {
                submission_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Submission"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409WorkerTooOld"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    storeVerdict: {
        parameters: {
            query?: never;
            header?: {
                "Judge-Capabilities"?: components["parameters"]["Judge-Capabilities"];
            };
            path: {
                submission_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerdictBody"];
            };
        };
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409WorkerTooOld"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    readSubmissionStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                submission_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmissionStatus"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            404: components["responses"]["Refusal404NotFound"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    listVerdicts: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: never;
            path: {
                submission_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Verdict"][];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            404: components["responses"]["Refusal404NotFound"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    listJudgings: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: never;
            path: {
                submission_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Judging"][];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    renewJudging: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                submission_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HeartbeatBody"];
            };
        };
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409JudgingEnded"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    listUserSubmissions: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedSubmission"][];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    listUserProblemSubmissions: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: never;
            path: {
                user_id: string;
                problem_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedSubmission"][];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    rejudge: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RejudgeBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rejudging"];
                };
            };
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["ProgressLocation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rejudging"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    listRejudgings: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rejudging"][];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    readRejudging: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                rejudging_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rejudging"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    listRejudgingDecisions: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
                event_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedRejudgingDecision"][];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    createRejudgingDecision: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RejudgingDecisionBody"];
            };
        };
        responses: {
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["ProgressLocation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedRejudgingDecision"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            429: components["responses"]["Refusal429RateLimitExceeded"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    readRejudgingDecision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                decision_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RejudgingDecision"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            404: components["responses"]["Refusal404NotFound"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    applyRejudgingDecision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                decision_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RejudgingDecision"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409RejudgingPendingRejudgingDecided"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            429: components["responses"]["Refusal429RateLimitExceeded"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    cancelRejudgingDecision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                decision_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RejudgingDecision"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409RejudgingDecided"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            429: components["responses"]["Refusal429RateLimitExceeded"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    createShadowJudging: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ShadowJudgingBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShadowJudging"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    deleteShadowJudging: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                shadow_judging_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    createRun: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409IdempotencyKeyReused"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            429: components["responses"]["Refusal429RateLimitExceeded"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    readRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"] | components["schemas"]["RunForJudges"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            404: components["responses"]["Refusal404NotFound"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    storeRunVerdict: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunVerdictBody"];
            };
        };
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    createPublicRun: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnonymousRunBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["Refusal400"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409IdempotencyKeyReused"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            429: components["responses"]["Refusal429RateLimitExceeded"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    readPublicRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["Refusal400"];
            404: components["responses"]["Refusal404NotFound"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    createBenchRun: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnonymousRunBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["Refusal400"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409IdempotencyKeyReused"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            429: components["responses"]["Refusal429RateLimitExceeded"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    readBenchRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["Refusal400"];
            404: components["responses"]["Refusal404NotFound"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    listLanguages: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedLanguage"][];
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    createLanguage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LanguageBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Language"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    deleteLanguage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                language_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    listJudges: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Judge"][];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    registerJudge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                judge_name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JudgeBody"];
            };
        };
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    listPublicEvents: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventSummary"][];
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    readPublicEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicEvent"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            404: components["responses"]["Refusal404NotFound"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventSummary"][];
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    createEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventSummary"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    readEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FullEvent"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    updateEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventUpdateBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventSummary"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    deleteEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    readEventByTitle: {
        parameters: {
            query: {
                title: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FullEvent"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    endEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventSummary"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    registerForEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403NotAParticipant"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409AlreadyRegistered"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            429: components["responses"]["Refusal429RateLimitExceeded"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    listPublicParticipants: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Participant"][];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            404: components["responses"]["Refusal404NotFound"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    listParticipants: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Participant"][];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    addParticipant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ParticipantBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409AlreadyRegistered"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    changeParticipant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: number;
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ParticipantUpdateBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Participant"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            429: components["responses"]["Refusal429RateLimitExceeded"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    removeParticipant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: number;
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            429: components["responses"]["Refusal429RateLimitExceeded"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    readEventClock: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventClock"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            404: components["responses"]["Refusal404NotFound"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    listEventProblems: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventProblem"][];
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            404: components["responses"]["Refusal404NotFound"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    addEventProblem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventProblemBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddedEventProblem"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409AlreadyInEvent"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            429: components["responses"]["Refusal429RateLimitExceeded"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    readEventProblem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: number;
                event_problem_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FullEventProblem"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403EventNotStarted"];
            404: components["responses"]["Refusal404NotFound"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    updateEventProblem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: number;
                event_problem_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventProblemUpdateBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdatedEventProblem"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            429: components["responses"]["Refusal429RateLimitExceeded"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    removeEventProblem: {
        parameters: {
            query?: {
                force?: boolean;
            };
            header?: never;
            path: {
                event_id: number;
                event_problem_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409ProblemHasSubmissions"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            429: components["responses"]["Refusal429RateLimitExceeded"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    listEventSubmissions: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
                user?: string;
                team?: string;
            };
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventSubmission"][];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    readStandings: {
        parameters: {
            query?: {
                by?: "user" | "team";
            };
            header?: {
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Standings"];
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403NotAParticipant"];
            404: components["responses"]["Refusal404NotFound"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    readStandingsCsv: {
        parameters: {
            query?: {
                by?: "user" | "team";
            };
            header?: {
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403NotAParticipant"];
            404: components["responses"]["Refusal404NotFound"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    thawStandings: {
        parameters: {
            query?: {
                next?: boolean;
                undo?: boolean;
            };
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Thaw"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            409: components["responses"]["Refusal409EventNotEndedNotFrozenNothingRevealed"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            429: components["responses"]["Refusal429RateLimitExceeded"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    listAttempts: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttemptStat"][];
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403NotAParticipant"];
            404: components["responses"]["Refusal404NotFound"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    listProblemStatuses: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProblemStatus"][];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            404: components["responses"]["Refusal404NotFound"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    listProblemStats: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProblemStats"][];
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403NotAParticipant"];
            404: components["responses"]["Refusal404NotFound"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    listScoreboardTokens: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScoreboardToken"][];
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    createScoreboardToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ScoreboardTokenBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedScoreboardToken"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            429: components["responses"]["Refusal429RateLimitExceeded"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    deleteScoreboardToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: number;
                scoreboard_token_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            429: components["responses"]["Refusal429RateLimitExceeded"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    readScoreboardStandings: {
        parameters: {
            query?: {
                by?: "user" | "team";
            };
            header?: {
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Standings"];
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401Unauthorized"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    readScoreboardClock: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScoreboardClock"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401Unauthorized"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    listTeams: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedTeam"][];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            404: components["responses"]["Refusal404NotFoundNotATeamEvent"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    createTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TeamBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedTeam"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403NotAParticipant"];
            404: components["responses"]["Refusal404NotFoundNotATeamEvent"];
            409: components["responses"]["Refusal409TeamNameTakenAlreadyOnTeam"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            429: components["responses"]["Refusal429RateLimitExceeded"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    readOwnTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Team"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            404: components["responses"]["Refusal404NotFoundNotATeamEvent"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    readTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: number;
                team_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Team"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            404: components["responses"]["Refusal404NotFoundNotATeamEvent"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    joinTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: number;
                team_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["JoinBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403ForbiddenNotAParticipant"];
            404: components["responses"]["Refusal404NotFoundNotATeamEvent"];
            409: components["responses"]["Refusal409AlreadyOnTeam"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            429: components["responses"]["Refusal429RateLimitExceeded"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    listQuestions: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Question"][];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            404: components["responses"]["Refusal404NotFound"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    askQuestion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuestionBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Question"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            404: components["responses"]["Refusal404NotFound"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            429: components["responses"]["Refusal429RateLimitExceeded"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    answerQuestion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: number;
                question_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnswerBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            429: components["responses"]["Refusal429RateLimitExceeded"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    announce: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnnouncementBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Question"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            403: components["responses"]["Refusal403Forbidden"];
            404: components["responses"]["Refusal404NotFound"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            429: components["responses"]["Refusal429RateLimitExceeded"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    countUnreadNotifications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnreadCount"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    listNotifications: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserNotification"][];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    markNotificationsRead: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            413: components["responses"]["Refusal413PayloadTooLarge"];
            429: components["responses"]["Refusal429RateLimitExceeded"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    streamEventChanges: {
        parameters: {
            query?: never;
            header?: {
                "Last-Event-ID"?: components["parameters"]["Last-Event-ID"];
            };
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            404: components["responses"]["Refusal404NotFound"];
            429: components["responses"]["Refusal429RateLimitExceeded"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    streamUserChanges: {
        parameters: {
            query?: never;
            header?: {
                "Last-Event-ID"?: components["parameters"]["Last-Event-ID"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401UnauthorizedMalformedTokenTokenExpiredAccountDeleted"];
            429: components["responses"]["Refusal429RateLimitExceeded"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    openScoreboardPage: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    openContestPage: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    readPageFile: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            404: components["responses"]["Refusal404NotFound"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
    readDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        openapi: string;
                        info: Record<string, never>;
                        paths: Record<string, never>;
                    };
                };
            };
            400: components["responses"]["Refusal400"];
            500: components["responses"]["Refusal500Internal"];
            503: components["responses"]["Refusal503Unavailable"];
        };
    };
}
