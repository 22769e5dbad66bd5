<?php

return [
    'failed' => 'These credentials do not match our records.',
    'password' => 'The password is incorrect.',
    'throttle' => 'Too many login attempts. Please try again in :seconds seconds.',
    'login' => 'Log in',
    'logout' => 'Log out',
    'remember' => 'Remember me',
    'forgot' => 'Forgot your password?',
];
